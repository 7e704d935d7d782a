/// <reference types="node" />
/** The bones of a dealer's model without the rest of it: enough to measure by, in Node. */

import { readFileSync } from 'node:fs';
import { Bone, Group, Object3D } from 'three';

interface Node {
  name?: string;
  translation?: [number, number, number];
  children?: number[];
}

/** Reads the joints of a GLB's first skin. `name`: the file beside load.ts, without its ending. */
export function skeletonOf(name: 'mei' | 'luca'): Object3D {
  const file = readFileSync(new URL(`../scene/dealer/${name}.glb`, import.meta.url));
  const json = JSON.parse(file.subarray(20, 20 + file.readUInt32LE(12)).toString('utf8')) as {
    nodes: Node[];
    skins: { joints: number[] }[];
    scenes: { nodes: number[] }[];
  };
  const joints = new Set(json.skins[0]!.joints);
  const build = (index: number): Object3D => {
    const { name: called = '', translation, children = [] } = json.nodes[index]!;
    const node = joints.has(index) ? new Bone() : new Object3D();
    node.name = called;
    if (translation !== undefined) node.position.fromArray(translation);
    for (const child of children) node.add(build(child));
    return node;
  };
  const root = new Group();
  for (const index of json.scenes[0]!.nodes) root.add(build(index));
  return root;
}
