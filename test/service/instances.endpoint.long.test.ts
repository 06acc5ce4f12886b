import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { expect } from 'chai';
import { readDemo, type ServiceProcess, startService, temporaryFolder } from '../support/serviceProcess.js';

describe('a service that serves its event store over EventStoreDB’s protocol', function () {
  this.timeout(60_000);
  const folder = temporaryFolder('suuq-endpoint-');
  let service: ServiceProcess;
  let address: string;
  before(async () => {
    service = await startService(folder.path, {
      EVENTSTORE_ENDPOINT: '127.0.0.1:0',
      EVENTSTORE_ENDPOINT_USER: 'auditor',
      EVENTSTORE_ENDPOINT_PASSWORD: 'open-sesame',
    });
    address = /EventStoreDB client at (\S+:\d+)\./.exec(service.output())![1]!;
  });
  after(async () => {
    await service.stop();
    folder.remove();
  });

  async function types(password: string): Promise<string[]> {
    const port = address.split(':')[1];
    const certificate = join(folder.path, 'endpoint.crt');
    const client = EventStoreDBClient.connectionString(
      `esdb://auditor:${password}@localhost:${port}?tlsCAFile=${certificate}`,
    );
    const { workspaceId } = readDemo(folder.path).store;
    const found: string[] = [];
    try {
      for await (const { event } of client.readStream(`store-${workspaceId}`)) found.push(event!.type);
    } finally {
      await client.dispose();
    }
    return found;
  }

  it('shows what it has written to any client with the password', async () => {
    expect(await types('open-sesame')).to.include('ChannelNumberConnected');
  });

  it('lets nobody in without it, and never says it', async () => {
    const refused = await types('wrong').then(
      () => undefined,
      (error: Error) => error,
    );
    expect(refused).to.be.instanceOf(Error);
    expect(service.output()).not.to.include('open-sesame');
  });

  it('ends its start with a sentence where the address is taken', async () => {
    const other = temporaryFolder('suuq-endpoint-taken-');
    const started = await startService(other.path, { EVENTSTORE_ENDPOINT: address }).catch(
      (error: Error) => error.message,
    );
    expect(started).to.match(/port_taken: .*endpoint cannot listen at 127\.0\.0\.1:\d+/);
    other.remove();
  });
});
