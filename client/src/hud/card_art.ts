/** Small cards as SVG: rank above suit. Suits are paths in a unit box around the origin. */

export const SUIT_PATHS: Readonly<Record<string, string>> = {
  D: 'M0-.52Q.14-.22 .38 0Q.14 .22 0 .52Q-.14 .22-.38 0Q-.14-.22 0-.52Z',
  H: 'M0 .48C-.1 .28-.46 .12-.46-.16C-.46-.52-.08-.52 0-.22C.08-.52 .46-.52 .46-.16C.46 .12 .1 .28 0 .48Z',
  S: 'M0-.5C.1-.28 .45-.1 .45 .15C.45 .42 .12 .42 .045 .18Q.06 .4 .18 .48L-.18 .48Q-.06 .4-.045 .18C-.12 .42-.45 .42-.45 .15C-.45-.1-.1-.28 0-.5Z',
  C: 'M.205-.27A.205 .205 0 1 1 .2049-.271ZM-.03 .06A.205 .205 0 1 1-.0301 .059ZM.44 .06A.205 .205 0 1 1 .4399 .059ZM-.09-.12H.09V.1H-.09ZM-.03 .02Q-.03 .38-.18 .47L.18 .47Q.03 .38 .03 .02Z',
};

export const isRed = (code: string): boolean => code.endsWith('H') || code.endsWith('D');

/** "10" for "TS", else the rank as it stands. */
export const rankText = (code: string): string => (code.startsWith('T') ? '10' : code.slice(0, -1));
