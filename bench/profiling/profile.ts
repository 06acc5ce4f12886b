import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { profileFolder, readyMicroseconds } from '../../harness/service/serviceProcess.js';
import { threadProfiles } from './cpuProfile.js';
import { flameGraph, ownTime } from './flameGraph.js';

/** A thread that worked less than this share of its time is no limit of anything. */
const WORTH_A_PICTURE = 0.1;

/** Cases of which the start of a service is the work itself; of all others it is left out. */
const OF_STARTS: ReadonlySet<string> = new Set(['start']);

/**
 * Runs a case with every service that it starts under the profiler, and writes `CASE-THREAD.svg` and `CASE.md` into `folder`. Figures of such a run
 * are worth less: sampling takes some percent.
 */
export async function profiled<T>(name: string, folder: string, work: () => Promise<T>): Promise<T> {
  const raw = mkdtempSync(join(tmpdir(), 'suuq-profile-'));
  profileFolder(raw);
  try {
    const result = await work();
    mkdirSync(folder, { recursive: true });
    const threads = threadProfiles(raw, OF_STARTS.has(name) ? new Map() : readyMicroseconds);
    // A case may start several services: the one that worked most is the one that it measures.
    const busiest = threads.filter(({ pid }) => pid === threads[0]?.pid);
    const lines = [`# ${name}: where the time goes`, ''];
    const drawn = new Map<string, number>();
    for (const thread of busiest.filter(({ busy }) => busy >= WORTH_A_PICTURE)) {
      const alike = (drawn.get(thread.name) ?? 0) + 1;
      drawn.set(thread.name, alike);
      const picture = `${name}-${thread.name}${alike === 1 ? '' : `-${alike}`}.svg`;
      writeFileSync(join(folder, picture), flameGraph(thread, name));
      lines.push(
        `## ${thread.name}`,
        '',
        `Busy for ${(thread.busy * 100).toFixed(0)} % of its time. [Picture](${picture})`,
        '',
      );
      lines.push('| function itself | share of its work |', '| --- | --- |');
      for (const { name: own, share } of ownTime(thread)) lines.push(`| \`${own}\` | ${(share * 100).toFixed(1)} % |`);
      lines.push('');
    }
    writeFileSync(join(folder, `${name}.md`), lines.join('\n'));
    return result;
  } finally {
    profileFolder(undefined);
    rmSync(raw, { recursive: true, force: true });
  }
}
