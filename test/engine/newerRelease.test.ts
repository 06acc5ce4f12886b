/** A log in which a newer release has written, under this one. */
import { join } from 'node:path';
import { expect } from 'chai';
import { delivery } from '../../domain/delivery/delivery.js';
import { derivedId } from '../../domain/ids.js';
import type { Log } from '../../engine/ports/log.js';
import { noteOrigin } from '../../engine/processors/tasks/workOrigin.js';
import { NewerEvent } from '../../engine/upcasting.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { type Instance, openInstance } from '../../service/composition/instance.js';
import { readSettings } from '../../service/settings/settings.js';
import { failureOf } from '../contracts/eventStoreKit.js';
import { until } from '../support/doubles/fakeClock.js';
import { specMeta } from '../support/spec/given.js';

const SAID =
  'DeliverySettingsSaved (delivery-w1, revision 0) is stored in version 2, but this release supports up to version 1.';

describe('an event written by a newer release', () => {
  const folder = temporaryFolder('suuq-newer-');
  const message: string[] = [];
  const print = (...words: unknown[]): void => {
    const [about] = words as [{ err?: { message?: string } }?];
    message.push(about?.err?.message ?? '');
  };
  const log: Log = { debug: print, info: print, warn: print, error: print, isLevelEnabled: () => true };
  let instance: Instance;

  before(async () => {
    const store = await openEmbeddedEventStore(folder.path);
    await store.append('delivery-w1', 'noStream', [
      { id: derivedId('newer'), type: 'DeliverySettingsSaved', data: {}, meta: { ...specMeta, schema: 2 } },
    ]);
    await store.close();
    // The work has been there since before.
    const work = openEmbeddedReadModels(join(folder.path, 'work.db'));
    await noteOrigin(work, { kind: 'begun' });
    await work.close();
    instance = await openInstance(
      readSettings({ SUUQ_DATA: folder.path, SUUQ_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }),
      log,
    );
  });
  after(async () => {
    await instance?.close();
    folder.remove();
  });

  it('is not used for decisions', async () => {
    const failure = await failureOf(instance.services.commandHandler.query(delivery, 'w1', (state) => state));
    expect(failure).to.be.instanceOf(NewerEvent);
    expect((failure as Error).message).to.include(SAID);
  });

  it('appears in no view, and the log explains what to do', () =>
    until('it was logged', () =>
      message.some((text) => text.includes(SAID) && text.includes('Run the release that wrote it')),
    ));
});
