/** Handlers that change under an unchanged version are named: at the start, in the status, and by the tests. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { silentLog } from '../../engine/ports/log.js';
import { handlerFingerprints, normalised } from '../../engine/projections/handlerFingerprints.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { createProjectionRuntime, type ProjectionRuntime } from '../../engine/projections/runtime.js';
import type { EmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { projections } from '../../projections/index.js';
import { written } from '../../service/admin/layout.js';
import { upkeepCommands } from '../../service/admin/upkeepCommands.js';
import { type ProjectionsThread, startProjectionsThread } from '../../service/composition/threads/projectionsHost.js';
import { judge, judgeOwn } from '../support/fingerprints.js';
import { added, eventually, type Stage, stage, stock } from '../support/projectionStage.js';
import { temporaryFolder } from '../support/serviceProcess.js';

const RULE = "export const doubled = (n) => n * 2; // a comment\nexport const NAME = 'a  ,}';\n";
const handlers = (version = 1) => `
import { doubled } from '../domain/rule.js';
export const sums = {
  name: 'sums', version: ${version}, categories: ['basket'], keys: { sum: 'number' }, indexes: [{ keys: ['sum'] }],
  on: {
    ItemsAdded: (view, { data }) => {
      const sum = (view?.body.sum ?? 0) + doubled(data.items.length);
      return { keys: { sum }, body: { sum } };
    },
  },
};
`;

/** A project of two floors: a projection, and the rule that it imports. */
function project() {
  const folder = temporaryFolder();
  const write = (path: string, code: string): void => {
    mkdirSync(join(folder.path, path, '..'), { recursive: true });
    writeFileSync(join(folder.path, path), code);
  };
  const index = join(folder.path, 'projections/index.js');
  write('package.json', '{"type":"module"}');
  write('domain/rule.js', RULE);
  write('projections/sums.js', handlers());
  write('projections/index.js', "import { sums } from './sums.js';\nexport const projections = [sums];\n");
  return {
    write,
    index: pathToFileURL(index).href,
    remove: folder.remove,
    async fingerprint(): Promise<string> {
      const module = (await import(pathToFileURL(index).href)) as { projections: AnyProjection[] };
      const found = await handlerFingerprints(pathToFileURL(index).href, module.projections);
      return found.get('sums')!.current;
    },
  };
}

describe('the fingerprint of handlers', () => {
  it('does not change with comments, layout, trailing commas, or where the modules stand', () => {
    const one =
      "import { a } from './a.js';\nimport { b } from './b.js';\n/** Why. */\nexport const c = (n) => [a, b(n)];";
    const other =
      "import { b } from '../x/b.js';\nimport { a } from './a2.js';\nexport const c = (n) => [\n  a, // why\n  b(n),\n];\n";
    expect(normalised(one)).to.equal(normalised(other));
  });

  it('changes with every other letter of the code, also in texts and patterns', () => {
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

  it('is of the projection’s module and of what that imports, and of nothing else', async () => {
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

describe('handlers changed under the same version', () => {
  let w: Stage;
  let p: ReturnType<typeof project>;
  let host: ProjectionsThread | undefined;
  let warned: object[];

  const start = async () => {
    await host?.stop();
    warned = [];
    const store = w.store as EmbeddedEventStore;
    const note = (fields: object, message: string): void => void warned.push({ ...fields, message });
    const quiet = (): void => undefined;
    host = await startProjectionsThread({
      events: () => ({ folder: w.folder, notices: store.connectReader() }),
      views: { file: join(w.folder, 'views.db') },
      projections: p.index,
      graceMs: 20,
      // As a command beside no service: its status is asked for once.
      unattended: true,
      log: { debug: quiet, info: quiet, warn: note, error: note, isLevelEnabled: () => false },
    });
    await eventually(async () => (await host!.status()).every(({ state }) => state === 'live'));
  };
  const isNamed = async (): Promise<boolean> => (await host!.status())[0]!.handlersChanged === true;
  /** All of them: `start` has asked for the status, which waits for what is looked at beside. */
  const warnings = async (): Promise<object[]> => {
    await host!.stop();
    host = undefined;
    return warned;
  };

  beforeEach(async () => {
    w = await stage();
    p = project();
    await w.append('b1', added(['tea', 1]));
    await start();
    // The handlers are read while the service runs.
    await warnings();
  });
  afterEach(async () => {
    await host?.stop();
    await w.close();
    p.remove();
  });

  it('are named at the start and in the status, until the version is raised', async () => {
    await start();
    expect(await warnings()).to.deep.equal([]);
    p.write('domain/rule.js', RULE.replace('n * 2', 'n * 3'));
    await start();
    expect(await isNamed()).to.equal(true);
    expect(warned[0]).to.deep.include({ projection: 'sums', version: 1 });
    expect((warned[0] as { message: string }).message).to.include('raise its version');
    const [status] = upkeepCommands;
    const shown = written(status!.text({ projections: await host!.status() } as never));
    expect(shown).to.match(/other handlers of the same version.*\nsums$/);
    p.write('projections/sums.js', handlers(2));
    await start();
    expect(await isNamed()).to.equal(false);
    expect(await warnings()).to.deep.equal([]);
    await start();
    expect(await warnings()).to.deep.equal([]);
  });

  it('are named until they are rebuilt', async () => {
    p.write('domain/rule.js', RULE.replace('n * 2', 'n * 3'));
    await start();
    expect(await isNamed()).to.equal(true);
    await host!.rebuild('sums');
    await eventually(async () => !(await isNamed()));
    expect((await w.models.get<{ sum: number }>('sums', 'b1'))!.body.sum).to.equal(3);
    await start();
    expect(await isNamed()).to.equal(false);
    expect(await warnings()).to.deep.equal([]);
  });

  it('are not named where it is recorded that they make the same documents', async () => {
    const before = await p.fingerprint();
    p.write('domain/rule.js', RULE.replace('n * 2', 'n + n'));
    const recorded = { sums: { version: 1, fingerprint: await p.fingerprint(), same: [before] } };
    const index = `import { sums } from './sums.js';\nexport const projections = [sums];\nexport const fingerprints = ${JSON.stringify(recorded)};\n`;
    p.write('projections/index.js', index);
    await start();
    expect(await warnings()).to.deep.equal([]);
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

  /** The next owner of the projection, whose handlers are these. */
  const own = async (fence: number, current: string): Promise<string[]> => {
    await runtime?.stop();
    const warned: string[] = [];
    const tenure = { name: 'projection:stock', fence, valid: () => true, held: () => true, fenced: () => undefined };
    runtime = createProjectionRuntime({
      eventStore: w.store,
      readModels: w.models,
      projections: [stock],
      leases: { hold: (_, { acquired }) => void acquired(tenure), ownerOf: () => undefined },
      log: { ...silentLog, warn: (_, message) => void warned.push(message) },
      fingerprints: async () => new Map([['stock', { current, same: [] }]]),
      // Its status is asked for when everything has been looked at.
      unattended: true,
    });
    await runtime.start();
    await eventually(async () => (await runtime!.status())[0]!.state === 'live');
    return warned;
  };

  it('are named by the instance that owns the projection now', async () => {
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

  it('refuse handlers that changed under the same version, and say what to do', () => {
    const judged = judge(orders(3), now('b'), before);
    expect(judged.changed).to.deep.equal(['orders']);
    expect(judged.stale[0]).to.include('Raise the version').and.include('--same orders');
    expect(judged.recorded, 'recording alone does not hide it').to.deep.equal(before);
  });

  it('take a raised version, and what makes the same documents', () => {
    expect(judge(orders(3), now('a'), before).stale).to.deep.equal([]);
    expect(judge(orders(4), now('b'), before).recorded).to.deep.equal({ orders: { version: 4, fingerprint: 'b' } });
    const same = judge(orders(3), now('b'), before, () => true).recorded;
    expect(same).to.deep.equal({ orders: { version: 3, fingerprint: 'b', same: ['a'] } });
    expect(judge(orders(3), now('a'), same, () => true).recorded.orders!.same).to.deep.equal(['b']);
    expect(judge([], now('a'), before).stale[0]).to.include('no such projection');
  });

  it('are those of the projections as they are', async () => {
    const { stale } = await judgeOwn();
    expect(stale.join('\n')).to.equal('');
    expect(projections.length).to.be.greaterThan(30);
  });
});
