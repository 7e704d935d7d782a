/** What the scene is told and what it offers. It knows no rule of the game: everything comes in as one value and a time. */

export type Side = 'player' | 'banker';
export type Area = 'player' | 'banker' | 'tie';

/** One gesture of the dealer, as the server timed it; at_ms counts from the deal (00:00). */
export interface Gesture {
  act: 'draw' | 'turn' | 'result' | 'collect' | 'pay' | 'clear';
  at_ms: number;
  dur_ms: number;
  side?: Side | null;
  index?: number | null;
  points?: number | null;
}

/** One coup, complete. Which part of it is visible follows from the timeline and the time alone. */
export interface Deal {
  coup: number;
  dealsUtcMs: number;
  /** Two characters each: "TS" is the ten of spades. */
  playerCards: string[];
  bankerCards: string[];
  outcome: 'player' | 'banker' | 'tie';
  timeline: Gesture[];
}

/** The patron's own chips on one area. */
export interface Stack {
  area: Area;
  amountMinor: number;
  /** false = staged: drawn lighter, with a dashed ring. */
  placed: boolean;
  /** Stake and win that come back from this area; null while nothing is settled, 0 when lost. */
  returnedMinor: number | null;
}

/** MIN and MAX of an area, minor units. */
export interface Limits {
  minMinor: number;
  maxMinor: number;
}

export interface SceneView {
  phase: 'betting' | 'closing' | 'dealing' | 'offline';
  /** The coup being shown, complete; a face is only shown from its turn on. */
  deal: Deal | null;
  /**
   * The coup before, at tables where its cards stay until the next round. Its `clear` gesture says when they are swept,
   * and goes on while the new coup begins; until it has ended nothing of `deal` is shown.
   */
  leaving: Deal | null;
  mine: Stack[];
  /** The others' total per area, minor units. */
  others: Partial<Record<Area, number>>;
  /** What `others` was, from the beginning of the clear gesture on: chips that travel back to the patrons. */
  othersLeaving: Partial<Record<Area, number>>;
  /** The moment of "no more bets"; null at tables without a clock. */
  closesUtcMs: number | null;
  /** 00:00; null at tables without a clock. */
  dealsUtcMs: number | null;
  /** When this shoe was brought; null when that was long ago. */
  newShoeUtcMs: number | null;
  /** When the running call of the dealer was made and how many letters it has: her lips move to it. */
  call: { atUtcMs: number; letters: number } | null;
  /** null while unknown. */
  limits: Readonly<Partial<Record<Area, Limits>>> | null;
  cardsLeft: number;
  decks: number;
  hover: Area | null;
  focus: Area | null;
}

/** What most views leave out. */
export const NOTHING_MORE = {
  leaving: null,
  othersLeaving: {},
  closesUtcMs: null,
  dealsUtcMs: null,
  newShoeUtcMs: null,
  call: null,
  limits: null,
} as const satisfies Partial<SceneView>;

export interface StageOptions {
  quality: 'high' | 'medium' | 'low';
  /** 'emerald' | 'midnight' | 'burgundy' | 'onyx' | 'teal'; an unknown name is emerald. */
  felt: string;
  dealer: 'female' | 'male';
  /** The areas on the felt; without a word, all of them. */
  areas?: readonly Area[];
  /** Cuts in place of travel; nothing moves by itself. */
  reducedMotion: boolean;
  /** false: the camera stays at the table view. */
  cameraMoves: boolean;
}

/** What a stage spends, as of the last frame. */
export interface StageStats {
  calls: number;
  triangles: number;
  geometries: number;
  textures: number;
  /** All textures with their mipmaps, and render targets. */
  textureBytes: number;
}

/** A place on the screen, CSS pixels from the canvas's top left. */
export interface ScreenPoint {
  x: number;
  y: number;
}

export interface Stage {
  /** Take a new value. Cheap; called on every change of the model. */
  show(view: SceneView): void;
  /** Change a setting; applies at once. Another quality, or another dealer, is another stage. */
  set(change: Partial<Pick<StageOptions, 'reducedMotion' | 'cameraMoves' | 'felt'>>): void;
  /**
   * Draw one moment. Deterministic in (view, now): safe to jump in time, late joiners land mid-gesture.
   * Answers whether the camera has moved, so that places on the screen are new.
   */
  frame(nowUtcMs: number): boolean;
  /** The rows of pixels between which the table may stand; the HUD measures them. */
  resize(free: { top: number; bottom: number }): void;
  /**
   * Where an HTML anchor belongs: 'total-player' (upper border of an area), 'mine-player' (lower border),
   * 'area-player' (middle), 'score-player' (above a hand), likewise for banker and tie; 'head', 'shoe', 'tray'.
   */
  project(anchor: string): ScreenPoint;
  /** The area under a point in CSS pixels. */
  areaAt(x: number, y: number): Area | null;
  /** The border of an area as a polygon on the screen, clockwise from the dealer's left. */
  areaOutline(area: Area): ScreenPoint[];
  stats(): StageStats;
  dispose(): void;
}

/** The browser gives no WebGL context: show the 2D table instead. */
export class NoWebGLError extends Error {
  override readonly name = 'NoWebGLError';

  constructor(cause?: unknown) {
    super('This browser gives no WebGL context.', { cause });
  }
}
