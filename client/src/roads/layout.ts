/** How large the cells of the scoreboards screen are, from the size of the window. All in CSS pixels. */

export interface Cells {
  /** Of the bead plate and the big road. */
  readonly large: number;
  /** Of the three derived roads. */
  readonly small: number;
}

const UPRIGHT = 0.8;
const LYING_PX = 520;
/** In a window that is narrower and not lying, the boards stand above each other as on an upright phone. */
const NARROW_PX = 760;
/** Columns side by side on an upright phone. */
const UPRIGHT_COLUMNS = { large: 20, small: 28 };

/** What is not grid: header, names of the boards, gaps and margins, in rem; on a lying phone in pixels. */
const CHROME_REM = 15.2;
const LYING_CHROME_PX = 138;
const LARGE_TO_SMALL = 1.6;
const LYING_LARGE_TO_SMALL = 1.45;

/** Three boards stand above each other, one of them with large cells; together they should fill the height. */
export function cells(width: number, height: number, rem: number): Cells {
  if (width / height <= UPRIGHT || (width <= NARROW_PX && height > LYING_PX)) {
    const inside = width - 1.5 * rem;
    return { large: inside / UPRIGHT_COLUMNS.large, small: inside / UPRIGHT_COLUMNS.small };
  }
  const isLying = height <= LYING_PX;
  const rows = height - (isLying ? LYING_CHROME_PX : CHROME_REM * rem);
  if (isLying) {
    const small = Math.max(10, Math.floor(rows / (6 * (LYING_LARGE_TO_SMALL + 2))));
    return { small, large: Math.max(14, Math.floor((rows - 12 * small) / 6)) };
  }
  const small = rows / (6 * (LARGE_TO_SMALL + 2));
  return { large: clamp(small * LARGE_TO_SMALL, 1.25 * rem, 2 * rem), small: clamp(small, 0.875 * rem, 1.25 * rem) };
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
