/** Failures to open MongoDB, by kind: temporary ones are waited for, and lasting ones are reported at once. */
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { expect } from 'chai';
import { failureOf as shown } from '../../cli/failures.js';
import { StoreRefused, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { faultyProxy } from '../../harness/engines/faultyProxy.js';
import { emulator, onMongo } from '../../harness/engines/mongoStage.js';
import { mongoMessages } from '../../harness/engines/wireMessages.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { BadEngineUrl } from '../../infrastructure/engineUrl.js';
import { certificateIn } from '../../infrastructure/eventstoreEndpoint/certificate.js';
import { examineMongo } from '../../infrastructure/mongodb/examination.js';
import { openMongoReadModels } from '../../infrastructure/mongodb/mongoReadModels.js';
import { mongoCheck } from '../../upkeep/doctor/engineChecks.js';
import { runChecks } from '../../upkeep/doctor/runChecks.js';
import { failureOf } from '../contracts/eventStoreKit.js';
import { onCommands, refusal } from '../support/doubles/mongoWire.js';

const SECRET = /s3cret|asha/;

async function openingError(url: string, timeoutMs = 1_000): Promise<Error> {
  const error = (await failureOf(openMongoReadModels(url, { prefix: 'views', timeoutMs }))) as Error;
  expect(JSON.stringify([error.message, error.stack, error.cause]), url).to.not.match(SECRET);
  return error;
}

describe('a MONGODB_URL', () => {
  it('with a misspelt option, a wrong value or a missing file is wrong_setting, with the option’s name', async () => {
    const wrong = [
      ['mongodb://asha:s3cret@127.0.0.1:1/suuq?retrywrits=false', /^MONGODB_URL has options .*: 'retrywrits'$/],
      ['mongodb://127.0.0.1:1/suuq?tlss=true&w=1&replicaset1=a', /: 'tlss', 'replicaset1'$/],
      [
        'mongodb://asha:s3cret@127.0.0.1:1/suuq?authMechanism=s3cret',
        /^MONGODB_URL has a value .* for 'authMechanism'$/,
      ],
      ['mongodb://127.0.0.1:1/suuq?tls=true&tlsCAFile=/none/ca.crt', /^MONGODB_URL names \/none\/ca.crt by tlsCAFile/],
      ['mongodb://asha:s3cret?tlss=1@127.0.0.1:1/suuq', /^MONGODB_URL is not an address/],
    ] as const;
    for (const [url, sentence] of wrong) {
      const error = await openingError(url);
      expect(error, url).to.be.instanceOf(BadEngineUrl);
      expect(shown(error)).to.have.property('code', 'wrong_setting');
      expect(error.message).to.match(sentence);
    }
  });

  it('whose host name is not found is unavailable, and not a wrong HOST', async () => {
    const error = await openingError('mongodb+srv://asha:s3cret@suuq.invalid/suuq');
    expect(error).to.be.instanceOf(StoreUnavailable).and.not.instanceOf(StoreRefused);
    expect(error.message).to.include('MongoDB at suuq.invalid is not available');
    expect(shown(error)).to.have.property('code', 'unavailable');
  });
});

onMongo(emulator, 'an opening', () => {
  const folder = temporaryFolder('suuq-mongo-tls-');
  const servers: Server[] = [];
  let direct: string;
  let secure: string;
  let authority: string;
  before(async () => {
    direct = new URL(await emulator.start()).host;
    const [host, port] = direct.split(':') as [string, string];
    const tls = createTlsServer(certificateIn(folder.path, '127.0.0.1'), (near) => {
      const far = connect(Number(port), host);
      for (const socket of [near, far]) socket.on('error', () => near.destroy());
      near.pipe(far).pipe(near);
    });
    tls.on('tlsClientError', () => undefined);
    servers.push(tls as unknown as Server);
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    secure = `127.0.0.1:${(tls.address() as AddressInfo).port}`;
    authority = join(folder.path, 'endpoint.crt');
  });
  after(() => {
    for (const server of servers) server.close();
    folder.remove();
  });

  const refused = async (url: string, sentence: RegExp): Promise<void> => {
    const error = await openingError(url);
    expect(error, url).to.be.instanceOf(StoreRefused);
    expect(shown(error)).to.have.property('code', 'engine_refused');
    expect(error.message).to.match(sentence);
  };

  it('rejects an untrusted certificate, and TLS on one side only, each with an explanation', async () => {
    await refused(`mongodb://asha:s3cret@${secure}/suuq?tls=true`, /certificate that is not trusted .*tlsCAFile=…/);
    await refused(`mongodb://asha:s3cret@${secure}/suuq`, /uses TLS: add tls=true to MONGODB_URL/);
    await refused(`mongodb://${direct}/suuq?tls=true`, /does not use TLS: remove tls=true/);
    const models = await openMongoReadModels(`mongodb://${secure}/suuq?tls=true&tlsCAFile=${authority}`, {
      prefix: 'views',
    });
    await models.list();
    await models.close();
  });

  it('rejects a wrong password, and a server without retryable writes', async () => {
    const proxy = await faultyProxy(direct, mongoMessages);
    for (const [code, text, sentence] of [
      [18, 'Authentication failed.', /refuses the user in MONGODB_URL: check user, password and permissions/],
      [8000, 'bad auth : authentication failed', /refuses the user in MONGODB_URL/],
      [301, 'Retryable writes are not supported', /add retryWrites=false to MONGODB_URL/],
    ] as const) {
      onCommands(proxy, ({ name }) => (name === 'ping' ? refusal(code, text) : undefined));
      await refused(`mongodb://${proxy.address}/suuq`, sentence);
    }
    await proxy.close();
  });

  it('is checked also if the server omits fields, or does not know a command', async () => {
    const proxy = await faultyProxy(direct, mongoMessages);
    const url = `mongodb://${proxy.address}/suuq`;
    const unknown = { members: 1, waitsForMajority: true, tls: false, missing: [], clockAheadMs: 0 };
    const user = { authenticatedUsers: [{ user: 'suuq', db: 'admin' }] };
    for (const authInfo of [user, { ...user, authenticatedUserPrivileges: undefined }]) {
      onCommands(proxy, ({ name }) => {
        if (name === 'buildInfo') return refusal(59, "no such command: 'buildInfo'");
        if (name === 'connectionStatus') return { authInfo };
        return name === 'isMaster' ? { ismaster: true } : undefined;
      });
      expect(await examineMongo(url, 5_000)).to.deep.equal(unknown);
    }
    const [found] = await runChecks([mongoCheck(url, () => examineMongo(url, 5_000))]);
    expect(found!.code).to.equal('no_replica_set');
    await proxy.close();
  });

  it('waits for a server that closes every connection while starting', async () => {
    const closing = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.destroy());
    });
    servers.push(closing);
    await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve));
    const { port } = closing.address() as AddressInfo;
    for (const options of ['', '?tls=true']) {
      const error = await openingError(`mongodb://127.0.0.1:${port}/suuq${options}`);
      expect(error, options).to.be.instanceOf(StoreUnavailable).and.not.instanceOf(StoreRefused);
    }
  });
});
