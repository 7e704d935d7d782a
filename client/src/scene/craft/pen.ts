/** Small helpers for pictures that are drawn, not loaded. They know nothing of three.js: the flat table uses them too. */

export type Pen = CanvasRenderingContext2D;

export const DISPLAY_FONT = 'Marcellus';
export const UI_FONT = '"Hanken Grotesk Variable"';

export function canvas(
  width: number,
  height: number,
  draw: (pen: Pen, width: number, height: number) => void,
): HTMLCanvasElement {
  const made = document.createElement('canvas');
  made.width = width;
  made.height = height;
  draw(penOf(made), width, height);
  return made;
}

export function penOf(made: HTMLCanvasElement): Pen {
  const pen = made.getContext('2d');
  if (pen === null) throw new Error('no 2D context for a texture');
  return pen;
}

/** Repeatable noise, 0 … 1: every visitor sees the same wood. */
export function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647;
  };
}

/** A circle, closed. */
export function circle(pen: Pen, x: number, y: number, radius: number): void {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
}

/** The mark of Bigroad: a ring of the Big Road with the stroke of a tie. */
export function drawMark(pen: Pen, x: number, y: number, radius: number, colour: string): void {
  pen.strokeStyle = colour;
  pen.lineWidth = radius * 0.2;
  circle(pen, x, y, radius * 0.78);
  pen.stroke();
  pen.lineCap = 'round';
  pen.lineWidth = radius * 0.17;
  pen.beginPath();
  pen.moveTo(x - radius * 0.62, y + radius * 0.92);
  pen.lineTo(x + radius * 0.62, y - radius * 0.92);
  pen.stroke();
  pen.lineCap = 'butt';
}

/** Blurs a picture in place; written out because Safari's canvas has no filter. */
export function blur(pen: Pen, width: number, height: number, radius: number): void {
  const image = pen.getImageData(0, 0, width, height);
  const spare = new Uint8ClampedArray(image.data.length);
  for (let pass = 0; pass < 3; pass++) {
    boxBlur(image.data, spare, width, height, radius, 4, width * 4);
    boxBlur(spare, image.data, height, width, radius, width * 4, 4);
  }
  pen.putImageData(image, 0, 0);
}

function boxBlur(
  from: Uint8ClampedArray,
  to: Uint8ClampedArray,
  length: number,
  lines: number,
  radius: number,
  step: number,
  lineStep: number,
): void {
  const span = 2 * radius + 1;
  for (let line = 0; line < lines; line++) {
    for (let channel = 0; channel < 4; channel++) {
      const base = line * lineStep + channel;
      const at = (i: number): number => from[base + Math.min(length - 1, Math.max(0, i)) * step] ?? 0;
      let sum = 0;
      for (let i = -radius; i <= radius; i++) sum += at(i);
      for (let i = 0; i < length; i++) {
        to[base + i * step] = sum / span;
        sum += at(i + radius + 1) - at(i - radius);
      }
    }
  }
}
