/** The history for measurements: the one in SUUQ_BENCH_HISTORY, or a smaller one that is generated. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { profiling, suuqCommand, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { makeFolder } from '../generator/write.js';
import { enough } from './effort.js';

/** Default: a minute or two on a quiet machine. */
const EVENTS = 1_000_000;
const SEED = 'bench';
/** The longest command reads ten million events several times. */
const LONGEST_MS = 1_800_000;

/** Makes a command print its CPU time in µs at its end, as the last line of its stderr. */
const TELLS_CPU = `data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write('cpu '+(user+system)+String.fromCharCode(10))})`;

/** A command of its own, from its start to its end. */
export interface Ran {
  readonly answer: unknown;
  readonly seconds: number;
  /** CPU time of all its threads, which other work on the machine affects less than the clock. */
  readonly cpuSeconds: number;
}

/** Answers its JSON; throws when it fails. */
export function timed(folder: string, ...args: string[]): Ran {
  const began = performance.now();
  const ran = spawnSync(process.execPath, [...profiling(), '--import', TELLS_CPU, suuqCommand, ...args, '--json'], {
    env: { ...process.env, SUUQ_DATA: folder },
    encoding: 'utf8',
    timeout: LONGEST_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  const seconds = (performance.now() - began) / 1000;
  if (ran.status !== 0) throw new Error(`suuq ${args.join(' ')}: ${ran.stderr}`);
  const cpu = /cpu (\d+)\n$/.exec(ran.stderr)?.[1];
  if (cpu === undefined) throw new Error(`suuq ${args.join(' ')} does not say what it took`);
  return { answer: JSON.parse(ran.stdout), seconds, cpuSeconds: Number(cpu) / 1e6 };
}

/** The same for a question in SQL, which may take as long as it wants. */
export const run = (folder: string, sql: string, ...args: string[]): Ran =>
  timed(folder, 'query', sql, '--seconds', String(LONGEST_MS / 1000), ...args);

/** The folder is removed afterwards where it was made for this. */
export async function onHistory<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const named = process.env.SUUQ_BENCH_HISTORY;
  if (named !== undefined) {
    if (!existsSync(join(named, 'events.db')))
      throw new Error(`SUUQ_BENCH_HISTORY: ${named} has no events.db; make one: npm run history -- --events N DIR`);
    return work(named);
  }
  const folder = temporaryFolder('suuq-history-');
  try {
    const data = join(folder.path, 'data');
    await makeFolder(data, { events: enough(EVENTS), seed: SEED });
    return await work(data);
  } finally {
    folder.remove();
  }
}
