/** When it is time to say how long the patron has been playing. */

const MS_PER_MINUTE = 60_000;

/** The choices, in minutes; 0: not at all. */
export const EVERY_MINUTES = [0, 15, 30, 60, 120] as const;

/** When the next check is due: so long after the last one of this sitting, or after its start; null: not at all. */
export function dueUtcMs(startedUtcMs: number, heardUtcMs: number | null, everyMinutes: number): number | null {
  if (everyMinutes <= 0) return null;
  const from = heardUtcMs === null || heardUtcMs < startedUtcMs ? startedUtcMs : heardUtcMs;
  return from + everyMinutes * MS_PER_MINUTE;
}

/** In the last seconds of betting nothing may come between the patron and the table. */
export const QUIET_SECONDS = 15;

export interface Betting {
  readonly phase: string;
  readonly clock: { readonly seconds: number };
  readonly closesAtSeconds: number;
  readonly game: { readonly clock: boolean } | null;
}

/** Is it these last seconds? */
export function isQuiet({ phase, clock, closesAtSeconds, game }: Betting): boolean {
  if (game?.clock === false) return false;
  return phase === 'betting' && clock.seconds - closesAtSeconds <= QUIET_SECONDS;
}

/** "0:07", "12:40": hours and minutes. */
export function hours(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MS_PER_MINUTE));
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}
