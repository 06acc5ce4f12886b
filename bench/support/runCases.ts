import { inspect } from 'node:util';
import { messageOf } from '../../engine/messageOf.js';
import { type Figure, medians, table } from './report.js';

export interface Case {
  readonly name: string;
  readonly measure: () => Promise<Figure[]>;
}

export interface Measured {
  readonly figures: Figure[];
  /** Cases that ended otherwise than with figures, and what of: a run of each. */
  readonly failed: { readonly name: string; readonly error: string }[];
}

/**
 * Measures one case after the other, each `runs` times. `notify` receives the rows of each case when it has ended, since a later case may
 * fail. A failed case is named and retains its successful runs, and the others are still measured.
 */
export async function runCases(
  cases: readonly Case[],
  runs: number,
  notify: (text: string) => void,
): Promise<Measured> {
  const measured: Measured = { figures: [], failed: [] };
  for (const { name, measure } of cases) {
    const ended: Figure[][] = [];
    for (let run = 1; run <= runs; run += 1) {
      notify(runs === 1 ? `${name} …\n` : `${name}, ${run} of ${runs} …\n`);
      try {
        ended.push(await measure());
      } catch (error) {
        measured.failed.push({ name, error: messageOf(error) });
        notify(`${name} failed: ${inspect(error)}\n`);
      }
    }
    const figures = medians(ended);
    measured.figures.push(...figures);
    if (figures.length > 0) notify(`${table(figures)}\n`);
  }
  return measured;
}
