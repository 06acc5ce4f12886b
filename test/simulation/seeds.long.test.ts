/** The whole service on simulated time, network and engines, from seeds (docs/internals/simulation.md). */
import { expect } from 'chai';
import type { Kind } from './kinds.js';
import { PARTS, type Part } from './parts/all.js';
import type { Outcome } from './run.js';
import { runSeeds } from './seeds.js';

const SEEDS = 30;
/** Seeds of each world of one part. */
const PART_SEEDS = 40;
/** Kinds that no seed draws, and seeds of each. */
const KINDS: readonly Kind[] = ['payments', 'newcomers', 'takeovers', 'windows', 'erasures'];
const KIND_SEEDS = 5;
const THREADS = 2;
/** Time limit in ms, for two cores with other load. */
const WITHIN_MS = 600_000;

type World = { readonly part?: Part; readonly kind?: Kind };

async function outcomes(from: number, count: number, threads: number, world: World = {}): Promise<Outcome[]> {
  const all: Outcome[] = [];
  const seeds = Array.from({ length: count }, (_, at) => from + at);
  await runSeeds({ seeds, threads, ...world, ended: (outcome) => void all.push(outcome) });
  return all.sort((a, b) => a.seed - b.seed);
}

const failures = (all: readonly Outcome[]): string[] =>
  all
    .filter(({ violations }) => violations.length > 0)
    .map(({ seed, violations }) => `seed ${seed}: ${violations.slice(0, 3).join('; ')}`);

describe('the service under failures', () => {
  it(`keeps its guarantees for ${SEEDS} seeds`, async function () {
    this.timeout(WITHIN_MS);
    expect(failures(await outcomes(1, SEEDS, THREADS))).to.deep.equal([]);
  });

  for (const part of PARTS)
    it(`keeps the guarantees of its ${part} for ${PART_SEEDS} seeds`, async function () {
      this.timeout(WITHIN_MS);
      expect(failures(await outcomes(1, PART_SEEDS, THREADS, { part }))).to.deep.equal([]);
    });

  for (const kind of KINDS)
    it(`keeps what it promised under ${KIND_SEEDS} seeds of ${kind}`, async function () {
      this.timeout(WITHIN_MS);
      expect(failures(await outcomes(1, KIND_SEEDS, THREADS, { kind }))).to.deep.equal([]);
    });

  it('behaves the same for the same seed, whatever ran before', async function () {
    this.timeout(WITHIN_MS);
    const [inARow, apart] = await Promise.all([outcomes(1, 2, 1), outcomes(2, 1, 1)]);
    expect(apart.map(({ hash }) => hash)).to.deep.equal(inARow.slice(1).map(({ hash }) => hash));
    expect(new Set(inARow.map(({ hash }) => hash))).to.have.property('size', 2);
  });
});
