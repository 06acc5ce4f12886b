/** The thread that runs handlers reports it at the start and in the status if they change without a new version. */
import { join } from 'node:path';
import { expect } from 'chai';
import type { EmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { written } from '../../service/admin/layout.js';
import { upkeepCommands } from '../../service/admin/upkeepCommands.js';
import { type ProjectionsThread, startProjectionsThread } from '../../service/composition/threads/projectionsHost.js';
import { added, eventually, type Stage, stage } from '../support/stages/projectionStage.js';
import { handlers, project, RULE } from './handlersProject.js';

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
      // As in a command without a service, which reads the status once.
      unattended: true,
      log: { debug: quiet, info: quiet, warn: note, error: note, isLevelEnabled: () => false },
    });
    await eventually(async () => (await host!.status()).every(({ state }) => state === 'live'));
  };
  const isNamed = async (): Promise<boolean> => (await host!.status())[0]!.handlersChanged === true;
  /** All warnings. `start` has read the status, which waits for the checks that run concurrently. */
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

  it('are reported at the start and in the status, until the version is raised', async () => {
    await start();
    expect(await warnings()).to.deep.equal([]);
    p.write('domain/rule.js', RULE.replace('n * 2', 'n * 3'));
    await start();
    expect(await isNamed()).to.equal(true);
    expect(warned[0]).to.deep.include({ projection: 'sums', version: 1 });
    expect((warned[0] as { message: string }).message).to.include('raise its version');
    const [status] = upkeepCommands;
    const shown = written(status!.text({ projections: await host!.status() } as never));
    expect(shown).to.match(/different handlers of the same version.*\nsums$/);
    p.write('projections/sums.js', handlers(2));
    await start();
    expect(await isNamed()).to.equal(false);
    expect(await warnings()).to.deep.equal([]);
    await start();
    expect(await warnings()).to.deep.equal([]);
  });

  it('are reported until they are rebuilt', async () => {
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

  it('are not reported if it is recorded that they produce the same documents', async () => {
    const before = await p.fingerprint();
    p.write('domain/rule.js', RULE.replace('n * 2', 'n + n'));
    const recorded = { sums: { version: 1, fingerprint: await p.fingerprint(), same: [before] } };
    const index = `import { sums } from './sums.js';\nexport const projections = [sums];\nexport const fingerprints = ${JSON.stringify(recorded)};\n`;
    p.write('projections/index.js', index);
    await start();
    expect(await warnings()).to.deep.equal([]);
  });
});
