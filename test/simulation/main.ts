/**
 * Runs simulations by hand. `npm run simulate -- --seeds 100000` runs that many seeds and prints the failing ones.
 * `--from N` sets the first seed, `--threads N` the number of threads, and `--first` ends at the first failure. `--seed
 * N` runs one seed, and `--trace` prints each of its steps. `--harsh` also forgets customers and sets clocks by hours.
 * `--kind NAME` runs each seed in a world of this kind (docs/internals/simulation.md, 'Kinds of worlds'), or of one
 * part of the engine.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { KINDS, type Kind } from './kinds.js';
import { isPart, PARTS, runPartOf } from './parts/all.js';
import { type Outcome, run } from './run.js';
import { runSeeds } from './seeds.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    threads: { type: 'string', default: String(availableParallelism()) },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    first: { type: 'boolean', default: false },
    harsh: { type: 'boolean', default: false },
    kind: { type: 'string' },
  },
});

const part = isPart(values.kind) ? values.kind : undefined;
const kind = part === undefined ? (values.kind as Kind | undefined) : undefined;
const all: readonly string[] = [...KINDS, ...PARTS];
if (values.kind !== undefined && !all.includes(values.kind)) throw new Error(`--kind is one of ${all.join(', ')}`);

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function describe({ seed, kind: world, hash, shared, instances, steps, took, faults, violations }: Outcome): string {
  const where = isPart(world) ? 'a part' : shared ? `${instances} on shared engines` : 'one on its own engines';
  const head = `seed ${seed} (${hash}, ${world}): ${where}, ${steps} steps, ${Math.round(took / 1000)} s, ${faults.join(' ')}`;
  return [head, ...violations.map((one) => `  ${one.slice(0, 1_000)}`)].join('\n');
}

async function one(seed: number): Promise<boolean> {
  const traced = values.trace ? { print } : {};
  const outcome =
    part === undefined
      ? await run(seed, { harsh: values.harsh, kind, ...traced })
      : await runPartOf(part, seed, traced.print);
  print(describe(outcome));
  return outcome.violations.length === 0;
}

async function many(): Promise<boolean> {
  const [from, end] = [Number(values.from), Number(values.from) + Number(values.seeds)];
  const seeds = Array.from({ length: end - from }, (_, at) => from + at);
  const began = performance.now();
  const failed: number[] = [];
  let done = 0;
  let steps = 0;
  const progress = (): void => {
    const seconds = (performance.now() - began) / 1000;
    const line = `${done} of ${seeds.length} seeds, ${failed.length} failed, ${steps} steps, ${seconds.toFixed(0)} s`;
    const isOver = done === seeds.length || (values.first && failed.length > 0);
    if (process.stdout.isTTY) process.stdout.write(`\r${line} `);
    else if (done % 100 === 0 || isOver) print(line);
  };
  await runSeeds({
    seeds,
    threads: Number(values.threads),
    harsh: values.harsh,
    part,
    kind,
    ended(outcome) {
      done += 1;
      steps += outcome.steps;
      if (outcome.violations.length > 0) {
        failed.push(outcome.seed);
        print(`\n${describe(outcome)}`);
      }
      progress();
      return !(values.first && failed.length > 0);
    },
  });
  if (failed.length > 0)
    print(`\nfailed: ${failed.sort((a, b) => a - b).join(' ')}; 'npm run simulate -- --seed N' shows one`);
  return failed.length === 0;
}

process.exitCode = (await (values.seed === undefined ? many() : one(Number(values.seed)))) ? 0 : 1;
