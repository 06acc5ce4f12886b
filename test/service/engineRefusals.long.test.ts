/** What will not pass is not waited for: a start ends, and a running service says what to change. */
import { expect } from 'chai';
import { type EndpointStage, endpointStage } from '../support/endpointStage.js';
import { type FakeNode, fakeNode } from '../support/fakeCluster.js';
import { type ServiceProcess, startService, temporaryFolder } from '../support/serviceProcess.js';

const KEY = { SUUQ_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') };

describe('a service whose event store turns it away', () => {
  const folder = temporaryFolder('suuq-refused-');
  let stage: EndpointStage;
  let node: FakeNode;
  before(async () => {
    stage = await endpointStage();
    node = await fakeNode(stage.address);
    node.tell({ role: 'leader', members: [node.address], leader: node.address });
  });
  after(async () => {
    node.kill();
    await stage.close();
    folder.remove();
  });

  const start = (url: string): Promise<ServiceProcess> => startService(folder.path, { ...KEY, EVENTSTORE_URL: url });

  it('ends its start at once, with what is to be changed', async () => {
    const began = performance.now();
    const error = await start(`esdb://${node.address}`).catch((failure: Error) => failure);
    expect((error as Error).message).to.match(/engine_refused: EventStoreDB at .*add \?tls=false to the URL/);
    // A server that is away is waited for for 60 s.
    expect(performance.now() - began).to.be.below(30_000);
  });

  it('says in /readyz what is to be changed while it runs, and goes on when it is', async () => {
    const service = await start(`esdb://${node.address}?tls=false`);
    const ready = async () => (await fetch(`${service.baseUrl}/readyz`)).text();
    const eventually = async (text: string) => {
      const end = performance.now() + 30_000;
      for (let said = ''; !said.includes(text); said = await ready())
        if (performance.now() > end) expect.fail(`/readyz never said '${text}': ${said}`);
    };
    node.tell({ role: 'closed' });
    await eventually('the user lacks the right to read $all or to write');
    node.tell({ role: 'leader' });
    await eventually('"status":"ready"');
    await service.stop();
  });
});
