/** Compares this machine's clock with those of the engines, and with the newest event. */
import { APART_MS, distance } from '../../engine/clockEvidence.js';
import type { Stored } from '../verify/storedData.js';
import { ENGINE_MS } from './engineChecks.js';
import { type Check, type Found, ok, problem, warning } from './finding.js';

/** Keys in flight and limits are measured by clocks that agree within a second. */
const UNEQUAL_MS = 2_000;
/** From here on signatures and expiries fail. */
const WRONG_MS = 60_000;

/** Ms by which each clock is ahead of this machine's, by name. */
export type Clocks = ReadonlyMap<string, number>;

const seconds = (ms: number): string => `${(Math.abs(ms) / 1000).toFixed(Math.abs(ms) < 10_000 ? 1 : 0)} s`;

function judged(name: string, ahead: number): Found | undefined {
  if (Math.abs(ahead) < UNEQUAL_MS) return undefined;
  const message = `The clock of ${name} is ${seconds(ahead)} ${ahead > 0 ? 'ahead of' : 'behind'} this machine's.`;
  const advice = 'Synchronize all of them with the same time servers (NTP), and find the one that is wrong.';
  return Math.abs(ahead) < WRONG_MS
    ? warning('clocks_apart', message, advice)
    : problem('clocks_apart', message, advice);
}

/** When the newest event was written, in ms since 1970; undefined without any. */
async function newestAt({ log }: Stored): Promise<number | undefined> {
  const [event] = (await log.readAll((await log.head()) - 1, { limit: 1 })).events;
  return event === undefined ? undefined : Date.parse(event.meta.at);
}

/** `engines`: each answers the clocks that it knows; one that is away has none. */
export const clocksCheck = (
  engines: readonly (() => Promise<Clocks>)[],
  stored: (() => Promise<Stored | undefined>) | undefined,
  now: () => number,
): Check => ({
  name: 'clocks',
  withinMs: ENGINE_MS,
  async run() {
    const none: Clocks = new Map();
    const known = await Promise.all(engines.map((request) => request().catch(() => none)));
    const clocks = known.flatMap((one) => [...one]);
    const found = clocks.flatMap(([name, ahead]) => judged(name, ahead) ?? []);
    const there = await stored?.().catch(() => undefined);
    const newest = there === undefined ? undefined : await newestAt(there).catch(() => undefined);
    if (newest !== undefined && newest - now() > UNEQUAL_MS)
      found.push(
        warning(
          'clock_behind_log',
          `The newest event is of ${new Date(newest).toISOString()}, ${seconds(newest - now())} ahead of this machine's clock.`,
          'Correct this clock (NTP): it went back, or another machine wrote with a clock that is ahead.',
        ),
      );
    const notes =
      newest === undefined || now() - newest <= APART_MS
        ? []
        : [ok('clock_ahead_of_log', `This machine's clock is ${distance(now(), newest)} the newest event.`)];
    if (found.length > 0) return [...found, ...notes];
    if (clocks.length === 0)
      return [ok('clock_alone', "Only this machine's clock counts, and no event is ahead of it."), ...notes];
    return [
      ok('clocks_agree', `This machine's clock agrees with ${clocks.map(([name]) => name).join(', ')}.`),
      ...notes,
    ];
  },
});
