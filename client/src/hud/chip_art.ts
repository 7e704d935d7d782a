/** How a chip looks from above, as SVG geometry in a circle of radius 100. */

export { chipColours } from '../art/chips';

const at = (angle: number, radius: number): string =>
  `${(Math.sin(angle) * radius).toFixed(1)} ${(-Math.cos(angle) * radius).toFixed(1)}`;

/** Six edge spots, each in two bars. */
export const SPOTS: string = Array.from({ length: 6 }, (_, i) =>
  [-0.105, 0.105].map((middle) => {
    const from = (i * Math.PI) / 3 + middle - 0.085;
    const to = from + 0.17;
    return `M${at(from, 100)}A100 100 0 0 1 ${at(to, 100)}L${at(to, 80)}A80 80 0 0 0 ${at(from, 80)}Z`;
  }).join(''),
).join('');

/** Fine rays inside the ring. */
export const RAYS: string = Array.from({ length: 48 }, (_, i) => {
  const angle = (i * Math.PI) / 24;
  return `M${at(angle, 64)}L${at(angle, 70)}`;
}).join('');
