/** Lets every instance of a mesh show its own cell of one texture, so that all cards, or all chips, are one draw call. */

import type { MeshLambertMaterial, MeshStandardMaterial } from 'three';

export interface Grid {
  readonly columns: number;
  readonly rows: number;
}

/** Left and bottom of a cell, in cells; cell 0 is the top left one, as on the canvas. */
export const cellOffset = (cell: number, { columns, rows }: Grid): readonly [number, number] => [
  cell % columns,
  rows - 1 - Math.floor(cell / columns),
];

/** GLSL that reads the instance's cell. Cards also have a back and can bend around their long axis, chips can turn grey. */
export function useAtlas(
  material: MeshStandardMaterial | MeshLambertMaterial,
  grid: Grid,
  card?: { readonly backCell: number; readonly halfWidth: number },
): void {
  const cellSize = `vec2( ${(1 / grid.columns).toFixed(6)}, ${(1 / grid.rows).toFixed(6)} )`;
  const back = card === undefined ? null : cellOffset(card.backCell, grid);
  const curve = card === undefined ? '' : (1 / card.halfWidth ** 2).toFixed(4);
  material.onBeforeCompile = (shader) => {
    let code = shader.vertexShader.replace(
      '#include <common>',
      `#include <common>\n${card === undefined ? CELL : CARD_CELL}`,
    );
    const cell =
      back === null ? 'cell' : `( side > 0.5 ? vec2( ${back[0].toFixed(1)}, ${back[1].toFixed(1)} ) : cell )`;
    code = code.replace('#include <uv_vertex>', `#include <uv_vertex>\nvMapUv = ( ${cell} + uv ) * ${cellSize};`);
    if (card !== undefined) {
      code = code
        .replace('#include <beginnormal_vertex>', `#include <beginnormal_vertex>\n${bentNormal(curve)}`)
        .replace('#include <begin_vertex>', `#include <begin_vertex>\n${bentPosition(curve)}`);
    }
    shader.vertexShader = code;
    if (card !== undefined) return;
    shader.vertexShader = code.replace('#include <uv_vertex>', '#include <uv_vertex>\nvGrey = grey;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying float vGrey;')
      .replace('#include <map_fragment>', `#include <map_fragment>\n${GREY}`);
  };
  material.customProgramCacheKey = () => `atlas ${grid.columns} ${grid.rows} ${card?.backCell ?? 'flat'}`;
}

/** A chip that has lost loses its colour too: what it is worth stays legible. */
const GREY = `diffuseColor.rgb = mix( diffuseColor.rgb, vec3( 0.62 * dot( diffuseColor.rgb, vec3( 0.3, 0.59, 0.11 ) ) ), vGrey );`;
const CELL = 'attribute vec2 cell;\nattribute float grey;\nvarying float vGrey;';
const CARD_CELL = `attribute vec2 cell;\nattribute float side;\nattribute float bend;`;
const bentNormal = (curve: string): string =>
  `objectNormal.x -= objectNormal.y * 2.0 * bend * position.x * ${curve}; objectNormal = normalize( objectNormal );`;
const bentPosition = (curve: string): string =>
  `transformed.y += bend * ( position.x * position.x * ${curve} - 0.35 );`;
