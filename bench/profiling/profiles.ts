import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { profileFolder, readyMicroseconds } from '../../harness/service/serviceProcess.js';
import { type Place, unbundled } from './bundledPlaces.js';

/** The profile of a thread, as `node --cpu-prof` writes it. */
export interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Place; readonly children?: readonly number[] }[];
  readonly samples: readonly number[];
  /** µs of the machine's steady clock. */
  readonly startTime: number;
  /** µs from each sample's predecessor, from the start for the first. */
  readonly timeDeltas: readonly number[];
}

const NOT_WORK: ReadonlySet<string> = new Set(['(root)', '(idle)', '(program)']);
const FILE_NAME = /^CPU\.\d+\.\d+\.(\d+)\.\d+\.\d+\.cpuprofile$/;
const THREAD_FILE = /\/dist\/(?:.*[/.])?([A-Za-z]+Thread)\.js$/;
/** A thread that works less than this share of its time limits nothing. */
const LEAST_BUSY = 0.1;

/** Cases that measure the start of a service, which the profiles of all others leave out. */
const OF_STARTS: ReadonlySet<string> = new Set(['start']);

/** The samples of a profile from a moment on, in µs of the steady clock. */
export function profileSince(profile: CpuProfile, since: number): CpuProfile {
  let startTime = profile.startTime;
  const first = profile.timeDeltas.findIndex((delta) => {
    if (startTime + delta >= since) return true;
    startTime += delta;
    return false;
  });
  const from = first === -1 ? profile.samples.length : first;
  return { ...profile, startTime, samples: profile.samples.slice(from), timeDeltas: profile.timeDeltas.slice(from) };
}

/** Number of samples in which the thread worked. */
export function workOf({ nodes, samples }: CpuProfile): number {
  const idle = new Set(nodes.filter(({ callFrame }) => NOT_WORK.has(callFrame.functionName)).map(({ id }) => id));
  return samples.filter((id) => !idle.has(id)).length;
}

const threadOf = ({ nodes }: CpuProfile): string =>
  nodes.map(({ callFrame }) => THREAD_FILE.exec(callFrame.url)?.[1]).find((name) => name !== undefined) ?? 'main';

function readProfiles(folder: string, since: ReadonlyMap<number, number>) {
  const placeOf = unbundled();
  return readdirSync(folder)
    .flatMap((file) => {
      const pid = FILE_NAME.exec(file)?.[1];
      if (pid === undefined) return [];
      const written = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
      const nodes = written.nodes.map((node) => ({ ...node, callFrame: placeOf(node.callFrame) }));
      const profile = profileSince({ ...written, nodes }, since.get(Number(pid)) ?? 0);
      return [{ pid, profile, thread: threadOf(profile), work: workOf(profile) }];
    })
    .sort((a, b) => b.work - a.work);
}

/**
 * Runs a case with every service that it starts under the profiler, and writes `CASE-THREAD.cpuprofile` into `folder` for
 * each busy thread. Sampling makes the figures of such a run some percent worse.
 */
export async function profiled<T>(name: string, folder: string, work: () => Promise<T>): Promise<T> {
  const raw = mkdtempSync(join(tmpdir(), 'suuq-profile-'));
  profileFolder(raw);
  try {
    const result = await work();
    mkdirSync(folder, { recursive: true });
    const profiles = readProfiles(raw, OF_STARTS.has(name) ? new Map() : readyMicroseconds);
    // A case may start several services. It measures the busiest.
    const busiest = profiles.filter(({ pid }) => pid === profiles[0]?.pid);
    const busy = busiest.filter(({ profile, work: samples }) => samples >= LEAST_BUSY * profile.samples.length);
    const numbers = new Map<string, number>();
    for (const { profile, thread } of busy) {
      const number = (numbers.get(thread) ?? 0) + 1;
      numbers.set(thread, number);
      const file = `${name}-${thread}${number === 1 ? '' : `-${number}`}.cpuprofile`;
      writeFileSync(join(folder, file), JSON.stringify(profile));
    }
    return result;
  } finally {
    profileFolder(undefined);
    rmSync(raw, { recursive: true, force: true });
  }
}
