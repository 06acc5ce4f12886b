import { expect } from 'chai';
import {
  type Demo,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { commandLine } from '../support/stages/commandLine.js';

describe('command line, while the service runs', () => {
  const folder = temporaryFolder('suuq-running-');
  let service: ServiceProcess;
  let demo: Demo;
  before(async () => {
    service = await startService(folder.path);
    demo = readDemo(folder.path);
  });
  after(async () => {
    await service.stop();
    folder.remove();
  });

  const { json } = commandLine(folder.path);
  const profile = (key: string) =>
    fetch(`${service.baseUrl}/api/v1/partner`, { headers: { authorization: `Bearer ${key}` } });

  it('creates a key that works at once, and revokes one at once', async () => {
    const key = json(
      'admin',
      'keys',
      'create',
      '--partner',
      demo.partner.id,
      '--mode',
      'test',
      '--scope',
      'partner.account:view',
    );
    expect((await profile(key.key)).status).to.equal(200);
    json('admin', 'keys', 'revoke', '--id', key.id);
    expect((await profile(key.key)).status).to.equal(401);
    expect((await profile(demo.partner.secretKey)).status).to.equal(200);
  });

  it('changes the features of a plan for the next request', async () => {
    const { defaultPlan } = (await (await profile(demo.partner.secretKey)).json()) as { defaultPlan: { key: string } };
    const before = json('admin', 'plans', 'list').plans.find((one: { key: string }) => one.key === defaultPlan.key);
    const put = ['admin', 'plans', 'put', '--key', defaultPlan.key, '--name', before.name];
    const features = before.features.flatMap((one: { key: string }) => ['--feature', one.key]);
    json(...put, '--feature', 'commerce.catalog');
    expect((await profile(demo.partner.secretKey)).status).to.equal(403);
    json(...put, ...features);
    expect((await profile(demo.partner.secretKey)).status).to.equal(200);
  });

  it("shows the channel's URL of the running service", () => {
    const number = json('admin', 'numbers', 'connect', '--workspace', demo.store.workspaceId);
    expect(number.webhookUrl).to.equal(`${service.baseUrl}/channel/webhook`);
  });

  it('rebuilds all projections, which keep answering', async () => {
    const { projections } = json('projections', 'rebuild');
    expect(projections.every((one: { state: string }) => one.state !== 'stopped')).to.equal(true);
    expect((await profile(demo.partner.secretKey)).status).to.equal(200);
  });

  it('shows the running service', () => {
    const { running, instances, projections, processors } = json('status');
    expect(running).to.equal(true);
    expect(instances.map(({ address }: { address: string }) => address)).to.deep.equal([service.baseUrl]);
    expect([projections.stopped, processors.stopped]).to.deep.equal([[], []]);
  });

  it('works on the folder again after the service was killed', async () => {
    await service.kill();
    expect(json('admin', 'partners', 'list').partners).to.have.length(1);
    service = await startService(folder.path);
    expect((await profile(demo.partner.secretKey)).status).to.equal(200);
  });
});
