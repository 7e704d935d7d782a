/** The model as the other rooms see it. */

export { apply, type LocalEvent } from './reduce';
export { unanswered } from './buttons';
export type { BetFace, ButtonName, Buttons, Reason, Why } from './buttons';
export type { Phase } from './moment';
export { BOARD_NAMES, type BoardName } from './roads';
export { REPLAY_LEAD_MS, replayed, replayEndsUtcMs } from './replay';
export type { Say } from './say';
export type { Banner } from './speech';
export { belowMinimum, type Result } from './stakes';
export { type Area, AREAS, type Notice, type Side, START, type State } from './state';
export type { HandShown } from './timeline';
export { type AreaView, type ClockView, type Game, type View, view, viewer } from './view';
