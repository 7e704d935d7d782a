// node optimise.mjs RAW.glb OUT.glb: thinner meshes, WebP textures, quantized and compressed.
import fs from 'node:fs';
import { Logger, NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS, EXTMeshoptCompression } from '@gltf-transform/extensions';
import { dedup, prune, quantize, reorder, simplifyPrimitive, textureCompress, weld } from '@gltf-transform/functions';
import { MeshoptDecoder, MeshoptEncoder, MeshoptSimplifier } from 'meshoptimizer';
import sharp from 'sharp';

/** Mesh name: share of the triangles to keep, and the error to accept as a share of the mesh's size. */
const THINNER = {
  skin: [0.42, 0.001],
  shirt: [0.5, 0.0013],
  vest: [0.33, 0.002],
  satin: [0.55, 0.0015],
  hair: [0.35, 0.002],
  trousers: [0.3, 0.006],
  eyes: [0.75, 0.004],
  bowtie: [0.6, 0.003],
  gold: [0.7, 0.003],
};
/** Pores do not survive more. */
const SKIN = /^skin(_normal)?$/;
const OTHERS = /^(?!skin(_normal)?$)/;

const [source, target] = process.argv.slice(2);
await MeshoptEncoder.ready;
await MeshoptSimplifier.ready;
const io = new NodeIO()
  .registerExtensions(ALL_EXTENSIONS)
  .registerDependencies({ 'meshopt.encoder': MeshoptEncoder, 'meshopt.decoder': MeshoptDecoder });
const document = await io.read(source);
document.setLogger(new Logger(Logger.Verbosity.WARN));
await document.transform(dedup(), weld());

let triangles = 0;
for (const mesh of document.getRoot().listMeshes()) {
  for (const primitive of mesh.listPrimitives()) {
    const before = primitive.getIndices().getCount() / 3;
    const [ratio, error] = THINNER[mesh.getName()] ?? [1, 0];
    if (ratio < 1) simplifyPrimitive(primitive, { simplifier: MeshoptSimplifier, ratio, error, lockBorder: false });
    const after = primitive.getIndices().getCount() / 3;
    triangles += after;
    if (process.env.VERBOSE) console.log(mesh.getName().padEnd(10), before, '->', after);
  }
}

const webp = (pattern, quality, slots) =>
  textureCompress({ encoder: sharp, targetFormat: 'webp', pattern, quality, effort: 6, ...(slots && { slots }) });

/** Quantizing gives every mesh its own copy of the skin; equal ones become one, so that one skeleton is updated a frame. */
function shareSkin(doc) {
  const nodes = doc.getRoot().listNodes().filter((node) => node.getSkin());
  const binds = (node) => Array.from(node.getSkin().getInverseBindMatrices().getArray()).join();
  const [skin, wanted] = [nodes[0].getSkin(), binds(nodes[0])];
  for (const node of nodes) {
    if (binds(node) !== wanted) throw new Error(`the skin of ${node.getName()} differs`);
    node.setSkin(skin);
  }
}

await document.transform(
  prune(),
  webp(SKIN, 94),
  webp(OTHERS, 86, /baseColor|emissive/),
  webp(OTHERS, 80, /normal|metallic/i),
  reorder({ encoder: MeshoptEncoder }),
  // one volume for the whole figure: else every mesh gets a skeleton of its own
  quantize({
    quantizationVolume: 'scene',
    quantizePosition: 14,
    quantizeNormal: 8,
    quantizeTexcoord: 12,
    quantizeColor: 8,
    quantizeWeight: 8,
  }),
  shareSkin,
  prune(),
);
// the transform meshopt() would quantize again, per mesh
document
  .createExtension(EXTMeshoptCompression)
  .setRequired(true)
  .setEncoderOptions({ method: EXTMeshoptCompression.EncoderMethod.QUANTIZE });
await io.write(target, document);
const images = document.getRoot().listTextures();
if (process.env.VERBOSE) console.log(images.map((image) => `${image.getName()}:${image.getImage().byteLength}`).join(' '));
console.log(`${triangles} triangles, ${fs.statSync(target).size} bytes`);
