/** Handlers that change without a new version are reported at the start, in the status, and by the tests. */
import { expect } from 'chai';
import { silentLog } from '../../engine/ports/log.js';
import { normalised } from '../../engine/projections/handlerFingerprints.js';
import { createProjectionRuntime, type ProjectionRuntime } from '../../engine/projections/runtime.js';
import { projections } from '../../projections/index.js';
import { judge, judgeOwn } from '../support/generators/fingerprints.js';
import { added, eventually, type Stage, stage, stock } from '../support/stages/projectionStage.js';
import { handlers, project, RULE } from './handlersProject.js';

describe('the fingerprint of handlers', () => {
  it('does not change with comments, layout, trailing commas, or the location of modules', () => {
    const one =
      "import { a } from './a.js';\nimport { b } from './b.js';\n/** Why. */\nexport const c = (n) => [a, b(n)];";
    const other =
      "import { b } from '../x/b.js';\nimport { a } from './a2.js';\nexport const c = (n) => [\n  a, // why\n  b(n),\n];\n";
    expect(normalised(one)).to.equal(normalised(other));
  });

  it('changes with every other character of the code, also in strings and patterns', () => {
    const code = "const a = 'x // y';\nconst b = /[/'\"] {2}/.test(a) ? `a , ]` : 'a b';";
    for (const [from, to] of [
      ['x // y', 'x // z'],
      ['x // y', 'x//y'],
      [' , ]', ', ]'],
      ["[/'", '[/`'],
      ['] {2}', ']  {2}'],
      ['a b', 'a  b'],
      ['const b', 'const c'],
    ] as const) {
      const changed = code.replace(from, to);
      expect(changed).to.not.equal(code);
      expect(normalised(changed), `${from} → ${to}`).to.not.equal(normalised(code));
    }
  });

  it('covers the projection’s module and its imports, and nothing else', async () => {
    const p = project();
    try {
      const first = await p.fingerprint();
      p.write('domain/other.js', 'export const other = 1;');
      p.write('domain/rule.js', `/** Said better. */\n${RULE}`);
      expect(await p.fingerprint()).to.equal(first);
      p.write('domain/rule.js', RULE.replace('n * 2', 'n * 3'));
      const second = await p.fingerprint();
      expect(second).to.not.equal(first);
      p.write('projections/sums.js', handlers().replace('?? 0', '?? 1'));
      expect(await p.fingerprint()).to.not.equal(second);
    } finally {
      p.remove();
    }
  });
});

describe('handlers changed under the same version, on shared engines', () => {
  let w: Stage;
  let runtime: ProjectionRuntime | undefined;
  beforeEach(async () => {
    w = await stage();
    await w.append('b1', added(['tea', 1]));
  });
  afterEach(async () => {
    await runtime?.stop();
    await w.close();
  });

  /** Starts the next owner of the projection, with these handlers. Returns the warnings. */
  const own = async (fence: number, current: string): Promise<string[]> => {
    await runtime?.stop();
    const warned: string[] = [];
    const tenure = { name: 'projection:stock', fence, valid: () => true, isOwned: () => true, fenced: () => undefined };
    runtime = createProjectionRuntime({
      eventStore: w.store,
      readModels: w.models,
      projections: [stock],
      leases: { hold: (_, { acquired }) => void acquired(tenure), ownerOf: () => undefined },
      log: { ...silentLog, warn: (_, message) => void warned.push(message) },
      fingerprints: async () => new Map([['stock', { current, same: [] }]]),
      // The status is read after all checks have ended.
      unattended: true,
    });
    await runtime.start();
    await eventually(async () => (await runtime!.status())[0]!.state === 'live');
    return warned;
  };

  it('are reported by the instance that owns the projection now', async () => {
    expect(await own(1, 'a')).to.deep.equal([]);
    expect(await own(2, 'a')).to.deep.equal([]);
    const warned = await own(3, 'b');
    expect((await runtime!.status())[0]!.handlersChanged).to.equal(true);
    expect(warned).to.have.length(1);
    expect(await own(4, 'a')).to.deep.equal([]);
    expect((await runtime!.status())[0]!.handlersChanged).to.equal(undefined);
  });
});

describe('the recorded fingerprints', () => {
  const before = { orders: { version: 3, fingerprint: 'a' } };
  const orders = (version: number) => [{ name: 'orders', version }];
  const now = (fingerprint: string) => new Map([['orders', fingerprint]]);

  it('reject handlers that changed under the same version, and explain what to do', () => {
    const judged = judge(orders(3), now('b'), before);
    expect(judged.changed).to.deep.equal(['orders']);
    expect(judged.stale[0]).to.include('Raise the version').and.include('--same orders');
    expect(judged.recorded, 'recording alone does not hide it').to.deep.equal(before);
  });

  it('accept a raised version, and handlers with the same documents', () => {
    expect(judge(orders(3), now('a'), before).stale).to.deep.equal([]);
    expect(judge(orders(4), now('b'), before).recorded).to.deep.equal({ orders: { version: 4, fingerprint: 'b' } });
    const same = judge(orders(3), now('b'), before, () => true).recorded;
    expect(same).to.deep.equal({ orders: { version: 3, fingerprint: 'b', same: ['a'] } });
    expect(judge(orders(3), now('a'), same, () => true).recorded.orders!.same).to.deep.equal(['b']);
    expect(judge([], now('a'), before).stale[0]).to.include('no such projection');
  });

  it('are those of the current projections', async () => {
    const { stale } = await judgeOwn();
    expect(stale.join('\n')).to.equal('');
    expect(projections.length).to.be.greaterThan(30);
  });
});
