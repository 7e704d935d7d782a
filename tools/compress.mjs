// Lay a .br and a .gz beside each file of the built page that shrinks by a tenth or more.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const SHRINKS = /\.(html|js|css|svg|json|wasm|glb|gltf|bin|ttf|otf|txt|webmanifest|ktx2)$/;

for (const entry of readdirSync(argv[2], { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !SHRINKS.test(entry.name)) continue;
  const path = join(entry.parentPath ?? entry.path, entry.name);
  const body = readFileSync(path);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: body.length > 1_500_000 ? 9 : 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  for (const [ending, small] of [
    [".br", brotliCompressSync(body, { params })],
    [".gz", gzipSync(body, { level: 9 })],
  ]) {
    if (small.length < body.length * 0.9) writeFileSync(path + ending, small);
  }
}
