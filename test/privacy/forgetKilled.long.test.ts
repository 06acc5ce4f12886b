/** `suuq admin forget` at a real service that is killed midway, and while another process owns the data folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Customer } from '../../cli/demo/customer.js';
import { createClient } from '../../client/src/index.js';
import {
  type Demo,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { takeDataFolder } from '../../service/folder/dataFolder.js';
import { commandLine, suuqConcurrently } from '../support/stages/commandLine.js';
import { until } from '../support/tools/until.js';

const HERS = '+252615553311';
const HIS = '+252615554411';

describe('an erasure that is killed', function () {
  this.timeout(180_000);
  const folder = temporaryFolder('suuq-forget-killed-');
  const { suuq, json } = commandLine(folder.path, { timeout: 60_000 });
  let service: ServiceProcess;
  let demo: Demo;

  const inbox = async (): Promise<string> => {
    const store = createClient({ baseUrl: service.baseUrl, credential: demo.store.secretKey });
    const { conversations } = await store.listConversations({ workspaceId: demo.store.workspaceId, limit: 100 });
    return JSON.stringify(conversations);
  };
  /** Counts the recorded erasures in progress. */
  async function underWay(): Promise<number> {
    const file = join(folder.path, 'work.db');
    if (!existsSync(file)) return 0;
    const work = openEmbeddedReadModels(file, { readonly: true });
    try {
      if (!(await work.list()).includes('forgettings')) return 0;
      return await work.count('forgettings', {}, 10);
    } finally {
      await work.close();
    }
  }

  before(async () => {
    service = await startService(folder.path);
    demo = readDemo(folder.path);
    for (const [phone, name] of [
      [HERS, 'Hodan'],
      [HIS, 'Ismail'],
    ] as const)
      await new Customer(demo.sandbox.baseUrl, demo.channel.phoneNumberId, phone.slice(1), name).send({
        text: 'Hello',
      });
    await until('both are there', async () => {
      const text = await inbox();
      return text.includes(HERS) && text.includes(HIS);
    });
  });
  after(async () => {
    await service?.stop();
    folder.remove();
  });

  it('is completed when the service starts again', async () => {
    const command = suuqConcurrently(folder.path, ['admin', 'forget', '--phone', HERS]);
    await until('it is in progress', async () => (await underWay()) > 0 || !(await inbox()).includes(HERS));
    await service.kill();
    await command;
    service = await startService(folder.path);
    demo = readDemo(folder.path);
    await until('it has ended', async () => !(await inbox()).includes(HERS) && (await underWay()) === 0);
    expect(await inbox()).to.include(HIS);
    expect(suuq('admin', 'forget', '--phone', HERS).stderr).to.match(/^not_found: No data subject with the number /);
    const events = suuq('query', "select * from events where type = 'PersonForgotten'", '--json').stdout;
    expect(events.match(/PersonForgotten/g)).to.have.length(1);
  });

  it("is counted, and scheduled by the operator's rules", () => {
    const { workspaceId } = demo.store;
    expect(json('admin', 'retention', 'list')).to.deep.include({ rules: [] });
    const rule = ['admin', 'retention', 'set', '--workspace', workspaceId, '--days'];
    expect(json(...rule, '365', '--dry-run')).to.deep.equal({
      ...{ workspaceId, days: 365, changed: false, wouldTake: { stores: [], more: false } },
    });
    expect(json('admin', 'retention', 'list')).to.deep.include({ rules: [] });
    expect(json(...rule, '365')).to.deep.equal({ workspaceId, days: 365, changed: true });
    expect(json(...rule, '365')).to.include({ changed: false });
    expect(json('admin', 'retention', 'set', '--days', 'forever')).to.deep.equal({ days: 'forever', changed: true });
    expect(json('admin', 'retention', 'list').rules).to.have.length(2);
    expect(suuq('admin', 'retention', 'list').stdout)
      .to.match(/365 days/)
      .and.to.match(/for ever/);
    expect(json('admin', 'retention', 'run', '--dry-run')).to.deep.equal({ stores: [], more: false, dryRun: true });
    expect(json('admin', 'retention', 'run')).to.deep.equal({ stores: [], more: false, dryRun: false });
    expect(json(...rule, 'default')).to.include({ changed: true });
    expect(json('admin', 'retention', 'list').rules).to.have.length(1);
    for (const wrong of ['29', '30.5'])
      expect(suuq(...rule, wrong).stderr, wrong).to.match(/^validation_failed: .*30 to 36500 whole days/);
    expect(suuq('admin', 'retention', 'set', '--days', 'default').stderr).to.match(/^validation_failed/);
    expect(suuq('admin', 'retention', 'set', '--days', '30', '--workspace', 'nowhere').stderr).to.match(/^not_found/);
  });

  it('is rejected with a reason while another process uses the data folder, such as a move', async () => {
    await service.stop();
    const folderTaken = takeDataFolder(folder.path);
    try {
      const { status, stderr } = await suuqConcurrently(folder.path, ['admin', 'forget', '--phone', HIS]);
      expect(status).to.equal(1);
      expect(stderr).to.match(/^data_folder_in_use: /);
    } finally {
      folderTaken.release();
    }
    expect(json('admin', 'forget', '--phone', HIS).persons, 'and done without a service').to.have.length(1);
  });
});
