/** Where things are on the page; the scene answers it, and so does the flat table. */

import type { Area } from '../model';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Places {
  /** Rows of pixels between which the table may stand. */
  resize(free: { top: number; bottom: number }): void;
  project(anchor: string): Point;
  areaOutline(area: Area): readonly Point[];
}

export interface Target {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** The outline within the box, as CSS `clip-path` and as SVG points. */
  readonly clip: string;
  readonly points: string;
}

/** What a finger needs. */
export const MIN_WIDTH = 96;
export const MIN_HEIGHT = 72;

/** The hit target of an area: its outline, grown around its middle where it is smaller than a finger needs. */
export function target(outline: readonly Point[]): Target | null {
  if (outline.length < 3) return null;
  const xs = outline.map((point) => point.x);
  const ys = outline.map((point) => point.y);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const growX = Math.max(1, MIN_WIDTH / Math.max(1, x1 - x0));
  const growY = Math.max(1, MIN_HEIGHT / Math.max(1, y1 - y0));
  const [width, height] = [(x1 - x0) * growX, (y1 - y0) * growY];
  const [left, top] = [(x0 + x1 - width) / 2, (y0 + y1 - height) / 2];
  const inside = outline.map((point) => [(point.x - x0) * growX, (point.y - y0) * growY] as const);
  const px = (value: number): string => value.toFixed(1);
  return {
    left,
    top,
    width,
    height,
    clip: `polygon(${inside.map(([x, y]) => `${px(x)}px ${px(y)}px`).join(', ')})`,
    points: inside.map(([x, y]) => `${px(x)},${px(y)}`).join(' '),
  };
}

/** Rows that the HUD leaves free for the table, measured from what is laid out. */
export function freeRows(root: HTMLElement): { top: number; bottom: number } {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const edge = (query: string, side: 'top' | 'bottom', otherwise: number): number =>
    root.querySelector(query)?.getBoundingClientRect()[side] ?? otherwise;
  const height = window.innerHeight;
  if (window.innerWidth / height < 0.8) {
    return { top: edge('.phase', 'bottom', 0) + 2, bottom: edge('.boardbox', 'top', height) - 16 };
  }
  const lying = height <= 520;
  return { top: (lying ? 0.25 : 0.625) * rem, bottom: edge('.chips, .replay', 'top', height) - (lying ? 1 : 1.5625) * rem };
}
