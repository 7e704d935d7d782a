/** Felt, leather, wood and paper edges as small pictures. */

import type { CanvasTexture } from 'three';
import { canvas, noise, textureOf } from '../craft/paint';

export function feltTexture(anisotropy: number): CanvasTexture {
  const random = noise(7);
  const picture = canvas(256, 256, (pen, width, height) => {
    const image = pen.createImageData(width, height);
    for (let i = 0; i < image.data.length; i += 4) {
      image.data.fill(236 + (random() - 0.5) * 38, i, i + 3);
      image.data[i + 3] = 255;
    }
    pen.putImageData(image, 0, 0);
    pen.globalAlpha = 0.16;
    for (let fibre = 0; fibre < 500; fibre++) {
      pen.strokeStyle = random() > 0.5 ? '#fff' : '#9a9a9a';
      const [x, y, angle] = [random() * width, random() * height, random() * 6.3];
      pen.beginPath();
      pen.moveTo(x, y);
      pen.lineTo(x + Math.cos(angle) * 7, y + Math.sin(angle) * 7);
      pen.stroke();
    }
  });
  return textureOf(picture, { repeat: [22, 8], anisotropy });
}

/** Heights, for a bump map. */
export function leatherTexture(anisotropy: number): CanvasTexture {
  const random = noise(11);
  const picture = canvas(256, 256, (pen, width, height) => {
    pen.fillStyle = '#808080';
    pen.fillRect(0, 0, width, height);
    for (let pore = 0; pore < 2600; pore++) {
      const [x, y, radius] = [random() * width, random() * height, 1.5 + random() * 3];
      pen.fillStyle = `rgba(${random() > 0.5 ? '255,255,255' : '0,0,0'},.11)`;
      pen.beginPath();
      pen.ellipse(x, y, radius, radius * 0.7, random() * 3, 0, 2 * Math.PI);
      pen.fill();
    }
  });
  return textureOf(picture, { colour: false, repeat: [9, 2], anisotropy });
}

export function woodTexture(anisotropy: number): CanvasTexture {
  const random = noise(13);
  const picture = canvas(1024, 128, (pen, width, height) => {
    pen.fillStyle = '#5a3018';
    pen.fillRect(0, 0, width, height);
    for (let vein = 0; vein < 220; vein++) {
      const y = random() * height;
      const tone = random() > 0.45 ? '20,8,2' : '190,120,66';
      pen.strokeStyle = `rgba(${tone},${0.06 + random() * 0.15})`;
      pen.lineWidth = 0.6 + random() * 2;
      pen.beginPath();
      pen.moveTo(0, y);
      pen.bezierCurveTo(width * 0.3, y + (random() - 0.5) * 14, width * 0.7, y + (random() - 0.5) * 14, width, y);
      pen.stroke();
    }
  });
  return textureOf(picture, { repeat: [1, 1], anisotropy });
}

/** Edges of many cards, one line each. */
export function paperEdges(width: number, height: number): HTMLCanvasElement {
  const random = noise(17);
  return canvas(width, height, (pen) => {
    pen.fillStyle = '#f4efe4';
    pen.fillRect(0, 0, width, height);
    for (let y = 0; y < height; y += 2) {
      pen.fillStyle = `rgba(90,70,50,${0.1 + random() * 0.26})`;
      pen.fillRect(0, y, width, 1);
    }
  });
}
