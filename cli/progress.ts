import { bar } from '../service/admin/text.js';
import type { Progress, Report } from '../upkeep/backup/progress.js';
import type { CliHost, Terminal, Upkeep } from './command.js';

const DRAW_MS = 100;
const LINE_MS = 5_000;

const words = ({ phase, share, done }: Progress): string =>
  [phase, share === undefined ? undefined : `${Math.floor(share * 100)} %`, done].filter(Boolean).join(', ');

/** One line written over itself where a person watches; otherwise a line for each phase, and one every 5 s of a long one. */
function progressOn({ watched, note }: Terminal): { readonly report: Report; end(): void } {
  let phase: string | undefined;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let drawn = false;
  return {
    report(now) {
      const at = performance.now();
      if (now.phase === phase && at - reportedAt < (watched ? DRAW_MS : LINE_MS)) return;
      phase = now.phase;
      reportedAt = at;
      drawn = watched;
      const { share, done } = now;
      if (!watched) note(`${words(now)}\n`);
      else note(`\r${share === undefined ? '' : `${bar(share)}  `}${[phase, done].filter(Boolean).join(', ')}\u001b[K`);
    },
    /** So that what is written next begins a line. */
    end: () => drawn && note('\r\u001b[K'),
  };
}

/** Does a part of the upkeep, and shows meanwhile how far it is. */
export async function upkeepShown<R>(
  host: CliHost,
  terminal: Terminal,
  work: (upkeep: Upkeep, report: Report) => Promise<R>,
): Promise<R> {
  const upkeep = await host.upkeep();
  const progress = progressOn(terminal);
  try {
    return await work(upkeep, progress.report);
  } finally {
    progress.end();
  }
}
