/** Runs recorded scenarios against the protocol endpoint, in separate processes. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Transcripts by scenario. */
export type Recorded = Readonly<Record<string, { readonly purpose: string; readonly transcript: unknown }>>;

/** Persistent subscriptions are not offered: see test/engines/eventstoreEndpoint.server.long.test.ts. */
export const offered = (scenario: string): boolean =>
  !/^(persistent|restart\/persistent|disconnect\/persistent)/.test(scenario);

/** Regular expressions of scenarios that run in parallel, each group on its own server, since they mostly wait. */
const SHARDS = [
  '^(append|batch|classic|errors)/',
  '^(idempotence|read|all|delete|tombstone|metadata|server)/',
  '^(subscribe/|disconnect/(?!persistent))',
  '^restart/(?!persistent)',
];

export const readTranscripts = (file: string): Recorded =>
  (JSON.parse(readFileSync(file, 'utf8')) as { scenarios: Recorded }).scenarios;

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Path of a file below test/vectors. */
export const vectorFile = (name: string): string => join(root, 'test/vectors', name);

const LIMIT_MS = 240_000;

/** Runs a process and resolves with its exit code. Kills it if it takes too long. */
function run(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const late = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => {
        output = (output + text).slice(-10_000);
      });
    child.on('close', (code) => {
      clearTimeout(late);
      resolve({ code, output });
    });
  });
}

/** Starts a server on a new folder, runs the scenarios and returns their transcripts. */
async function runScenarios(only: string): Promise<Recorded> {
  const folder = await mkdtemp(join(tmpdir(), 'suuq-vectors-'));
  const control = fileURLToPath(new URL('./endpointControl.js', import.meta.url));
  const out = join(folder, 'transcripts.json');
  try {
    const started = await run([control, 'start', folder]);
    if (started.code !== 0) throw new Error(`the endpoint did not start: ${started.output}`);
    const at = started.output.trim();
    const restart = `"${process.execPath}" "${control}" restart "${folder}"`;
    const scenarios = vectorFile('eventstoredb/run.mjs');
    const { output } = await run([
      scenarios,
      '--at',
      at,
      '--only',
      only,
      '--out',
      out,
      '--restart',
      restart,
      '--quiet',
    ]);
    if (!existsSync(out)) throw new Error(`the scenarios '${only}' gave no transcripts: ${output}`);
    return readTranscripts(out);
  } finally {
    await run([control, 'stop', folder]);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the transcripts of all scenarios that the endpoint supports. */
export const runOffered = async (): Promise<Recorded> =>
  Object.assign({}, ...(await Promise.all(SHARDS.map(runScenarios))));
