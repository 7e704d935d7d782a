/** Small cards as SVG: rank above suit. */

export { SUIT_PATHS } from '../art/suits';

export const isRed = (code: string): boolean => code.endsWith('H') || code.endsWith('D');

/** "10" for "TS", else the rank as it stands. */
export const rankText = (code: string): string => (code.startsWith('T') ? '10' : code.slice(0, -1));
