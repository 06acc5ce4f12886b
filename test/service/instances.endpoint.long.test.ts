import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AccessDeniedError, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { expect } from 'chai';
import { readDemo, type ServiceProcess, startService, temporaryFolder } from '../../harness/service/serviceProcess.js';

describe('a service that serves its event store over EventStoreDB’s protocol', () => {
  const folder = temporaryFolder('suuq-endpoint-');
  let service: ServiceProcess;
  let address: string;
  before(async () => {
    service = await startService(folder.path, {
      EVENTSTORE_ENDPOINT: '127.0.0.1:0',
      EVENTSTORE_ENDPOINT_USER: 'auditor',
      EVENTSTORE_ENDPOINT_PASSWORD: 'open-sesame',
    });
    address = /the event store at (\S+:\d+): tlsCAFile is \S+endpoint\.crt\./.exec(service.output())![1]!;
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

  it('shows its events to any client with the password', async () => {
    expect(await types('open-sesame')).to.include('ChannelNumberConnected');
  });

  it('accepts nobody without it, and never shows it', async () => {
    const refused = await types('wrong').then(
      () => undefined,
      (error: Error) => error,
    );
    expect(refused).to.be.instanceOf(Error);
    expect(service.output()).not.to.include('open-sesame');
  });

  it('is not accepted as the event store of another service, which would repeat all pending work', async () => {
    const other = temporaryFolder('suuq-endpoint-second-');
    const port = address.split(':')[1];
    const refused = await startService(other.path, {
      EVENTSTORE_URL: `esdb://auditor:open-sesame@localhost:${port}?tlsCAFile=${join(folder.path, 'endpoint.crt')}`,
      SUUQ_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    }).catch((error: Error) => error.message);
    expect(refused).to.match(/engine_refused: EventStoreDB at localhost:\d+: .*endpoint of a running Suuq service/);
    expect(refused).not.to.include('open-sesame');
    other.remove();
  });

  it('fails its start with a sentence if the address is used', async () => {
    const other = temporaryFolder('suuq-endpoint-taken-');
    const started = await startService(other.path, { EVENTSTORE_ENDPOINT: address }).catch(
      (error: Error) => error.message,
    );
    expect(started).to.match(/port_taken: .*endpoint cannot listen at 127\.0\.0\.1:\d+/);
    other.remove();
  });
});

describe('a service that serves its event store, without configured credentials', () => {
  const folder = temporaryFolder('suuq-endpoint-made-');
  let service: ServiceProcess;
  let client: EventStoreDBClient;
  const at = (name: string): string => join(folder.path, name);
  const start = async (env: Record<string, string> = {}): Promise<string> => {
    service = await startService(folder.path, { EVENTSTORE_ENDPOINT: '127.0.0.1:0', ...env });
    return /the event store at \S+:(\d+)/.exec(service.output())![1]!;
  };
  const connect = (login: string, port: string): EventStoreDBClient => {
    client = EventStoreDBClient.connectionString(`esdb://${login}@localhost:${port}?tlsCAFile=${at('endpoint.crt')}`);
    return client;
  };
  const noted = () => jsonEvent({ type: 'Noted', data: { n: 1 } });
  async function read(from: EventStoreDBClient): Promise<number> {
    let count = 0;
    for await (const _ of from.readAll({ maxCount: 5 })) count += 1;
    return count;
  }
  const denied = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );
  afterEach(async () => {
    await client.dispose();
    await service.stop();
  });
  after(() => folder.remove());

  it('creates some, which it prints and stores for its user, and allows reads with them', async () => {
    const port = await start();
    const file = at('endpoint-credentials.json');
    expect(service.output()).to.include(`user and password are in ${file}`);
    const { user, password } = JSON.parse(readFileSync(file, 'utf8')) as { user: string; password: string };
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(service.output()).not.to.include(password);
    expect(await read(connect(`${user}:${password}`, port))).to.equal(5);
    const keys = 'partnerKey-made-by-a-stranger';
    expect(await denied(client.appendToStream(keys, noted()))).to.be.instanceOf(AccessDeniedError);
    expect(await denied(client.deleteStream(keys))).to.be.instanceOf(AccessDeniedError);
    expect(await denied(client.tombstoneStream(keys))).to.be.instanceOf(AccessDeniedError);
  });

  it('accepts nobody without them, and accepts writes only if configured', async () => {
    const port = await start({ EVENTSTORE_ENDPOINT_WRITE: '1' });
    client = EventStoreDBClient.connectionString(`esdb://127.0.0.1:${port}?tls=false`);
    expect(await denied(read(client))).to.be.instanceOf(AccessDeniedError);
    expect(await denied(client.appendToStream('notes-1', noted()))).to.be.instanceOf(AccessDeniedError);
    await client.dispose();
    const { user, password } = JSON.parse(readFileSync(at('endpoint-credentials.json'), 'utf8'));
    expect((await connect(`${user}:${password}`, port).appendToStream('notes-1', noted())).success).to.equal(true);
  });

  it('is open to everybody on this machine only if configured, for reading', async () => {
    const port = await start({ EVENTSTORE_ENDPOINT_OPEN: '1' });
    expect(service.output()).to.include('without a password, from this machine');
    client = EventStoreDBClient.connectionString(`esdb://127.0.0.1:${port}?tls=false`);
    expect(await read(client)).to.equal(5);
    expect(await denied(client.appendToStream('notes-1', noted()))).to.be.instanceOf(AccessDeniedError);
  });
});
