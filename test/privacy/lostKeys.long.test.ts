/** A log with an event whose key is missing from the vault: it is reported, and an operator can mark it as erased. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ReadinessCheck } from '../../api/server/health.js';
import { ERASED_PHONE } from '../../domain/erasure.js';
import { numberList } from '../../domain/numberLists/numberList.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { executeAdmin } from '../../service/admin/adminCommands.js';
import { type Instance, openInstance } from '../../service/composition/instance.js';
import { readinessChecks } from '../../service/composition/readinessChecks.js';
import { createLog } from '../../service/log.js';
import { readSettings } from '../../service/settings/settings.js';
import { diagnosed } from '../../upkeep/doctor/doctor.js';
import { type VerifyResult, verify } from '../../upkeep/verify/verify.js';
import { until } from '../support/tools/until.js';

const [LIST, OTHER] = ['22222222-2222-4222-8222-222222222222', '22222222-2222-4222-8222-222222222223'];
const WORKSPACE = '11111111-1111-4111-8111-111111111111';
const EVENT = '33333333-3333-4333-8333-333333333333';
const [LOST, KNOWN] = ['+252611000001', '+252611000002'];
const silent = createLog('silent');
const noProcessors = { status: () => [] } as never;

describe('an event with a lost key', function () {
  this.timeout(60_000);
  const folder = temporaryFolder('suuq-lost-keys-');
  const data = join(folder.path, 'data');
  const env = { SUUQ_DATA: data };
  let instance: Instance;
  let keys: ReadinessCheck;

  const open = async (): Promise<void> => {
    instance = await openInstance(readSettings(env), silent);
    keys = readinessChecks(instance, noProcessors).find(({ name }) => name === 'keys')!;
  };
  const run = (command: string, input: object = {}) =>
    executeAdmin(instance.admin(''), command, input, { operator: 'asha' });
  const readiness = async () => (await keys.check()) as string | undefined;
  const checked = (): Promise<VerifyResult> =>
    verify({ ...readSettings(env), data }, silent, { report() {}, signal: new AbortController().signal });
  const doctorOf = async () => {
    const { findings } = await diagnosed({ env, version: '0.1.0', nodeNeeded: '>=22' });
    return findings.find(({ check }) => check === 'keys');
  };
  async function listed(id: string, eventId: string, phone: string): Promise<void> {
    const meta = { at: '2026-03-01T08:00:00.000Z', actor: { type: 'system' as const }, correlationId: 'r' };
    await instance.services.eventStore.append(`numberList-${id}`, 'noStream', [
      {
        ...{ id: eventId, type: 'NumberListCreated', data: { name: 'VIP', kind: 'uploaded', phones: [phone] } },
        meta: { ...meta, workspaceId: WORKSPACE },
      },
    ]);
  }
  const phonesOf = (id: string) =>
    instance.services.commandHandler.query(numberList, id, (list) =>
      list.status === 'standing' ? [...list.phones] : undefined,
    );

  before(async () => {
    await open();
    await listed(OTHER, '33333333-3333-4333-8333-333333333332', KNOWN);
    const vault = join(folder.path, 'vault');
    await instance.close();
    // The vault predates the second list.
    cpSync(join(data, 'vault.db'), vault);
    await open();
    await listed(LIST, EVENT, LOST);
    await instance.close();
    for (const name of ['vault.db-wal', 'vault.db-shm']) rmSync(join(data, name), { force: true });
    cpSync(vault, join(data, 'vault.db'));
    for (const name of ['views.db', 'views.db-wal', 'views.db-shm']) rmSync(join(data, name), { force: true });
  });
  after(() => folder.remove());

  it('is reported by doctor and verify, which read the rest of the log', async () => {
    expect(await doctorOf()).to.include({ level: 'problem', code: 'key_lost' });
    expect((await doctorOf())!.message).to.include(`NumberListCreated ${EVENT}`);
    const { whole, events, faults } = await checked();
    expect([whole, events]).to.deep.equal([false, 2]);
    expect(faults).to.have.length(1);
    expect(faults[0]).to.include({ part: 'keys' });
    expect(faults[0]!.place).to.include(EVENT);
  });

  it("is reported by /readyz and by the operator's list while a service runs", async () => {
    await open();
    await until('readiness reports it', async () => (await readiness())?.includes(EVENT) === true);
    expect(await run('lost-keys.list')).to.deep.include({ end: true });
    const { events } = (await run('lost-keys.list')) as { events: readonly object[] };
    expect(events).to.have.length(1);
    expect(events[0]).to.include({ event: EVENT, type: 'NumberListCreated', workspaceId: WORKSPACE });
    expect(await phonesOf(OTHER)).to.deep.equal([KNOWN]);
  });

  it('is not erased by an event id whose keys exist', async () => {
    const wrong = run('lost-keys.erase', { event: WORKSPACE, reason: 'typed wrong' });
    expect(await wrong.catch((error) => error.code)).to.equal('not_found');
  });

  it('reads as erased once an operator declares it, and read models continue', async () => {
    const erased = (await run('lost-keys.erase', { event: EVENT, reason: 'the disk of the vault broke' })) as object;
    expect(erased).to.deep.include({ events: 1, end: true });
    await until('readiness is well', async () => (await readiness()) === undefined);
    expect(await phonesOf(LIST)).to.deep.equal([ERASED_PHONE]);
    expect(await phonesOf(OTHER)).to.deep.equal([KNOWN]);
    const { events } = await instance.services.eventStore.readAll(-1, { filter: { categories: ['person'] } });
    expect(events.map(({ data: of, meta: { operator } }) => ({ ...of, operator }))).to.deep.equal([
      {
        personId: (erased as { persons: string[] }).persons[0],
        lostKey: 'the disk of the vault broke',
        operator: 'asha',
      },
    ]);
    expect(await run('lost-keys.list')).to.deep.include({ events: [] });
    await until('read models are rebuilt', async () =>
      (await instance.projections.status()).every(({ state, lag }) => state === 'live' && lag === 0),
    );
  });

  it('is no longer reported by doctor and verify', async () => {
    await instance.close();
    expect(await doctorOf()).to.include({ level: 'ok' });
    expect(await checked()).to.include({ whole: true });
  });
});
