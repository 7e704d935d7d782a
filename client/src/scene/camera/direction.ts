/** How close the camera wants to be at a moment: a function of the coup and the time, so that jumps in time land right. */

import { easeInOut, progress, PUSH_MS } from '../craft/ease';
import type { CoupTimes } from '../timeline';
import type { Area } from '../view';

export interface Direction {
  /** 0 at the table view … 1 close to the cards. */
  dealing: number;
  /** 0 … 1 at the look at the result. */
  result: number;
  /** -1 the winner lies on the patron's left … 1 on the right. */
  side: number;
}

const SIDES: Readonly<Record<Area, number>> = { player: -1, tie: 0, banker: 1 };

export const tableView = (): Direction => ({ dealing: 0, result: 0, side: 0 });

/** Writes where the camera wants to be at `ms` since the deal into `out`; `steady`: it stays at the table view. */
export function direct(coup: CoupTimes | null, ms: number, out: Direction, steady = false): Direction {
  out.dealing = out.result = out.side = 0;
  if (coup === null || steady) return out;
  const back = easeInOut(progress(ms, clearsAt(coup), PUSH_MS * 1.5));
  out.dealing = easeInOut(progress(ms, 0, PUSH_MS)) * (1 - back);
  out.result = easeInOut(progress(ms, coup.result.at, PUSH_MS * 1.5)) * (1 - back);
  out.side = SIDES[coup.outcome];
  return out;
}

/** Where nothing is cleared, the look at the result ends when all is paid. */
function clearsAt(coup: CoupTimes): number {
  if (Number.isFinite(coup.clear.at)) return coup.clear.at;
  return coup.pay.at + coup.pay.duration;
}
