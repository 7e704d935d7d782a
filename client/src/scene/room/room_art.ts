/** The pictures of the room: a wall out of focus, a fluted column, a glow, a disc of bokeh. */

import { blur, canvas, noise, type Pen } from '../craft/paint';

export const WALL = { width: 512, height: 224 } as const;
/** The wall is drawn in these units. */
const W = 256;
const H = 112;
const NICHES = 9;

type Stop = readonly [offset: number, colour: string];

function gradient(
  pen: Pen,
  from: readonly [number, number],
  to: readonly [number, number],
  stops: readonly Stop[],
): CanvasGradient {
  const made = pen.createLinearGradient(...from, ...to);
  for (const [offset, colour] of stops) made.addColorStop(offset, colour);
  return made;
}

function radial(pen: Pen, x: number, y: number, inner: number, outer: number, stops: readonly Stop[]): CanvasGradient {
  const made = pen.createRadialGradient(x, y, inner, x, y, outer);
  for (const [offset, colour] of stops) made.addColorStop(offset, colour);
  return made;
}

/** Fills a canvas of the size of WALL. `niche` is the colour behind the arches. */
export function paintWall(pen: Pen, niche: string): void {
  pen.save();
  pen.scale(WALL.width / W, WALL.height / H);
  pen.fillStyle = gradient(
    pen,
    [0, 0],
    [0, H],
    [
      [0, '#120b08'],
      [0.3, '#2a1810'],
      [0.62, '#3a2315'],
      [1, '#0c0807'],
    ],
  );
  pen.fillRect(0, 0, W, H);
  for (let i = 0; i < NICHES; i++) drawNiche(pen, ((i + 0.5) * W) / NICHES, i === (NICHES - 1) / 2, niche);
  for (let i = 0; i <= NICHES; i++) drawPilaster(pen, (i * W) / NICHES);
  drawGallery(pen);
  pen.fillStyle = radial(pen, W / 2, 56, 20, 130, [
    [0, 'rgba(0,0,0,.34)'],
    [0.35, 'rgba(0,0,0,.05)'],
    [1, 'rgba(0,0,0,.62)'],
  ]);
  pen.fillRect(0, 0, W, H);
  pen.restore();
  blur(pen, WALL.width, WALL.height, 3);
}

/** An arch with a hidden light; the one behind the dealer is dimmer. */
function drawNiche(pen: Pen, x: number, dim: boolean, colour: string): void {
  const [half, top, bottom] = [9, 30, 88];
  const arch = (inset: number): void => {
    pen.beginPath();
    pen.moveTo(x - half + inset, bottom);
    pen.lineTo(x - half + inset, top + inset * 0.6);
    pen.arc(x, top + inset * 0.6, half - inset, Math.PI, 0);
    pen.lineTo(x + half - inset, bottom);
    pen.fill();
  };
  pen.fillStyle = gradient(
    pen,
    [0, top - 8],
    [0, bottom],
    [
      [0, '#f2bd78'],
      [0.16, '#b87a3c'],
      [0.5, '#57351c'],
      [1, '#1d1009'],
    ],
  );
  pen.globalAlpha = dim ? 0.35 : 0.85;
  arch(0);
  pen.fillStyle = colour;
  pen.globalAlpha = dim ? 0.45 : 0.95;
  arch(2.4);
  pen.globalAlpha = 0.6;
  pen.fillStyle = radial(pen, x, 52, 0, 8, [
    [0, '#ffd9a0'],
    [1, 'rgba(255,180,90,0)'],
  ]);
  pen.fillRect(x - 8, 44, 16, 16);
  pen.globalAlpha = 1;
}

function drawPilaster(pen: Pen, x: number): void {
  pen.fillStyle = gradient(
    pen,
    [x - 5, 0],
    [x + 5, 0],
    [
      [0, '#140b07'],
      [0.42, '#523720'],
      [0.6, '#2a1a0f'],
      [1, '#100805'],
    ],
  );
  pen.fillRect(x - 4.5, 12, 9, 80);
}

/** A cove of light above, a gallery lit from below, people's lamps along it. */
function drawGallery(pen: Pen): void {
  const random = noise(21);
  pen.fillStyle = gradient(
    pen,
    [0, 4],
    [0, 16],
    [
      [0, 'rgba(255,190,110,0)'],
      [0.6, 'rgba(255,196,120,.8)'],
      [1, 'rgba(255,180,100,0)'],
    ],
  );
  pen.fillRect(0, 4, W, 12);
  pen.fillStyle = 'rgba(30,18,11,.92)';
  pen.fillRect(0, 66, W, 26);
  pen.fillStyle = 'rgba(255,196,120,.55)';
  pen.fillRect(0, 65.4, W, 1.1);
  for (let lamp = 0; lamp < 60; lamp++) {
    pen.fillStyle = `hsla(${28 + random() * 20}, 80%, ${50 + random() * 25}%, ${0.25 + random() * 0.5})`;
    pen.beginPath();
    pen.arc(random() * W, 60 + random() * 5, 0.5 + random(), 0, 2 * Math.PI);
    pen.fill();
  }
  pen.fillStyle = 'rgba(6,4,3,.55)';
  pen.fillRect(0, 88, W, 24);
}

/** Lit from a lamp at its foot; drawn, not computed. */
export function columnPicture(): HTMLCanvasElement {
  return canvas(128, 256, (pen, width, height) => {
    for (let x = 0; x < width; x++) {
      const u = x / width;
      const flute = 0.72 + 0.28 * Math.abs(Math.sin(u * Math.PI * 9));
      const light = flute * Math.max(0.05, Math.sin(u * Math.PI) ** 1.1 * (1.12 - u * 0.7));
      pen.fillStyle = `rgb(${Math.floor(104 * light)},${Math.floor(70 * light)},${Math.floor(42 * light)})`;
      pen.fillRect(x, 0, 1, height);
    }
    pen.fillStyle = gradient(
      pen,
      [0, 0],
      [0, height],
      [
        [0, 'rgba(10,6,4,.86)'],
        [0.35, 'rgba(10,6,4,.20)'],
        [0.62, 'rgba(255,190,110,.16)'],
        [1, 'rgba(6,4,3,.9)'],
      ],
    );
    pen.fillRect(0, 0, width, height);
  });
}

export function glowPicture(): HTMLCanvasElement {
  return canvas(128, 128, (pen, width) => {
    pen.fillStyle = radial(pen, width / 2, width / 2, 0, width / 2, [
      [0, 'rgba(255,236,200,1)'],
      [0.12, 'rgba(255,205,140,.75)'],
      [0.4, 'rgba(255,160,80,.18)'],
      [1, 'rgba(255,140,60,0)'],
    ]);
    pen.fillRect(0, 0, width, width);
  });
}

/** A light out of focus has a bright rim. */
export function bokehPicture(): HTMLCanvasElement {
  return canvas(64, 64, (pen, width) => {
    pen.fillStyle = radial(pen, 32, 32, 0, 31, [
      [0, 'rgba(255,255,255,.50)'],
      [0.8, 'rgba(255,255,255,.62)'],
      [0.93, 'rgba(255,255,255,.95)'],
      [1, 'rgba(255,255,255,0)'],
    ]);
    pen.fillRect(0, 0, width, width);
  });
}
