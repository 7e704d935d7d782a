/** Reads the committed models of the dealers without a browser. For tests, not for the page. */

import { readFileSync } from 'node:fs';
import { type Object3D, type SkinnedMesh, Vector3 } from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const JSON_AT = 20;

export interface Picture {
  readonly name: string;
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
}

export interface Model {
  readonly bytes: number;
  readonly extensions: readonly string[];
  readonly pictures: readonly Picture[];
  readonly copyright: string;
  /** A fresh copy without textures. */
  load(): Promise<Object3D>;
}

interface Json {
  asset: { copyright: string };
  extensionsRequired: string[];
  bufferViews: { byteOffset?: number; byteLength: number }[];
  images?: { name: string; mimeType: string; bufferView: number }[];
  textures?: unknown;
  materials: Record<string, unknown>[];
}

export function readModel(path: string): Model {
  const file = readFileSync(path);
  const length = file.readUInt32LE(12);
  const json = JSON.parse(file.toString('utf8', JSON_AT, JSON_AT + length)) as Json;
  const binary = file.subarray(JSON_AT + length + 8);
  const pictures = (json.images ?? []).map(({ name, mimeType, bufferView }) => {
    const { byteOffset = 0, byteLength } = json.bufferViews[bufferView]!;
    return { name, mimeType, ...webpSize(binary.subarray(byteOffset, byteOffset + byteLength)) };
  });
  return {
    bytes: file.length,
    extensions: json.extensionsRequired,
    pictures,
    copyright: json.asset.copyright,
    load: async () => {
      const loader = new GLTFLoader();
      loader.setMeshoptDecoder(MeshoptDecoder);
      const { scene } = await loader.parseAsync(packed(withoutTextures(json), binary), '');
      scene.updateMatrixWorld(true);
      return scene;
    },
  };
}

/** There is nothing here that could decode a picture. */
function withoutTextures(json: Json): Json {
  const bare = structuredClone(json);
  bare.materials = bare.materials.map(({ name, alphaMode }) => ({ name, alphaMode }));
  delete bare.images;
  delete bare.textures;
  return bare;
}

function packed(json: Json, binary: Buffer): ArrayBuffer {
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const head = Buffer.alloc(JSON_AT);
  const tail = Buffer.alloc(8);
  head.write('glTF', 0);
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(JSON_AT + padded.length + 8 + binary.length, 8);
  head.writeUInt32LE(padded.length, 12);
  head.write('JSON', 16);
  tail.writeUInt32LE(binary.length, 0);
  tail.write('BIN\0', 4);
  return new Uint8Array(Buffer.concat([head, padded, tail, binary])).buffer;
}

/** Of the three kinds of WebP. */
function webpSize(data: Buffer): { width: number; height: number } {
  const kind = data.toString('latin1', 12, 16);
  if (kind === 'VP8X') return { width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 };
  if (kind === 'VP8L') {
    const bits = data.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  if (kind === 'VP8 ') return { width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff };
  throw new Error(`no WebP picture: ${kind}`);
}

/** Where all vertices of a mesh are now, bones and morphs applied, in world space. */
export function vertices(mesh: SkinnedMesh): Vector3[] {
  const { count } = mesh.geometry.attributes['position']!;
  return Array.from({ length: count }, (_, i) =>
    mesh.getVertexPosition(i, new Vector3()).applyMatrix4(mesh.matrixWorld),
  );
}

/** How much of each vertex follows the bones whose names begin so, 0 … 1. */
export function shareOf(mesh: SkinnedMesh, prefixes: readonly string[]): number[] {
  const { skinIndex, skinWeight } = mesh.geometry.attributes;
  const chosen = mesh.skeleton.bones.map(({ name }) => prefixes.some((prefix) => name.startsWith(prefix)));
  return Array.from({ length: skinIndex!.count }, (_, i) =>
    [0, 1, 2, 3].reduce((sum, k) => {
      const bone = skinIndex!.getComponent(i, k);
      return sum + (chosen[bone] ? skinWeight!.getComponent(i, k) : 0);
    }, 0),
  );
}
