/** How a chip looks from above, as SVG geometry in a circle of radius 100. Values differ in lightness as well as in hue. */

export interface ChipColours {
  readonly base: string;
  readonly spot: string;
  readonly ink: string;
}

const COLOURS: readonly ChipColours[] = [
  { base: '#d9d3c6', spot: '#2b5f9e', ink: '#22304a' },
  { base: '#16171b', spot: '#e9c372', ink: '#f3d48f' },
  { base: '#6a2a94', spot: '#f4efe6', ink: '#f8f2ff' },
  { base: '#d39a1e', spot: '#1b1712', ink: '#2b1e06' },
  { base: '#a3172a', spot: '#f6e3b4', ink: '#ffeccc' },
  { base: '#0c7a63', spot: '#f5f1e8', ink: '#eafff6' },
  { base: '#1d3f9c', spot: '#f0c25e', ink: '#fff3d6' },
];

/** The usual values (in minor units) keep their colours at every table; others go by their place on the rail. */
const USUAL: readonly number[] = [2_000, 10_000, 50_000, 100_000, 500_000, 2_500_000, 10_000_000];

export function chipColours(valueMinor: number, place: number): ChipColours {
  const usual = USUAL.indexOf(valueMinor);
  return COLOURS[(usual >= 0 ? usual : place) % COLOURS.length]!;
}

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
