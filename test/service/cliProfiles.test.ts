/** Profiles for remote services: keys are never shown, every API operation is available, and errors are explained. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCli } from '../../cli/run.js';
import { close, listen } from '../../infrastructure/http/listen.js';

const KEY = 'psk_test_profiles-of-a-test-9aBc';
const STORE_KEY = 'sk_test_store-of-a-test-7xYz';
const STORE = '8cf75527-69cc-5651-bded-d12eb8effe6c';

type Answers = (request: IncomingMessage, body: string) => readonly [number, object | undefined];

describe('profiles of remote services', () => {
  let folder: string;
  let server: Server;
  let url: string;
  let requested: string[];
  let version: string;
  let answers: Answers;

  const problem = (status: number, code: string) =>
    [status, { type: 'about:blank', title: 'No', status, code, detail: `It is ${code}.`, requestId: 'r-1' }] as const;

  /** Answers for a partner's key, and for a store's key without access to the partner. */
  const usual: Answers = ({ url: path = '', headers }) => {
    const { authorization } = headers;
    if (authorization === `Bearer ${STORE_KEY}`)
      return path === '/api/v1/partner' ? problem(403, 'permission_denied') : [200, { orders: [] }];
    if (authorization !== `Bearer ${KEY}`) return problem(401, 'unauthenticated');
    if (path === '/api/v1/partner') return [200, { id: 'p-1', name: 'Acme' }];
    if (path.startsWith('/api/v1/partner/stores')) return [200, { stores: [{ workspaceId: STORE }] }];
    if (path.endsWith('/orders')) return [200, { orders: [{ id: 'o-1' }] }];
    return problem(404, 'not_found');
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    requested.push(`${request.method} ${request.url}${body === '' ? '' : ` ${body}`}`);
    const [status, text] = answers(request, body);
    response.writeHead(status, { 'api-version': version, 'content-type': 'application/json' });
    response.end(text === undefined ? '' : JSON.stringify(text));
  }

  before(async () => {
    server = createServer((request, response) => void respond(request, response));
    url = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`;
  });
  after(() => close(server, 0));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'suuq-profiles-'));
    requested = [];
    version = 'v1';
    answers = usual;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const file = (): string => join(folder, 'suuq', 'profiles.json');

  async function typed(line: string, more: Readonly<Record<string, string>> = {}) {
    const shown = { out: '', err: '' };
    const none = () => Promise.reject(new Error('nothing may be done'));
    const status = await runCli(line.split(' '), {
      out(text) {
        shown.out += text;
      },
      err(text) {
        shown.err += text;
      },
      watched: false,
      version: '1.2.3',
      env: { XDG_CONFIG_HOME: folder, SUUQ_DATA: join(folder, 'none'), KEY, STORE_KEY, ...more },
      withExecute: none,
      start: none,
      sandbox: none,
      move: none,
      settle: none,
      upkeep: none,
    });
    expect(shown.out + shown.err, 'a key is never shown')
      .to.not.include(KEY)
      .and.not.include(STORE_KEY);
    return { status, ...shown };
  }
  const login = (more = '') => typed(`login --url ${url} --key-env KEY${more}`);

  it('store a key after it was checked, readable by its user only', async () => {
    const { status, out } = await login();
    expect([status, out]).to.deep.equal([0, out]);
    expect(out).to.include('Profile default').and.include('(Acme)').and.include('9aBc').and.include(STORE);
    expect(requested[0]).to.equal('GET /api/v1/partner');
    expect([statSync(file()).mode & 0o777, statSync(join(folder, 'suuq')).mode & 0o777]).to.deep.equal([0o600, 0o700]);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).to.deep.equal({
      profiles: { default: { url, key: KEY, workspaceId: STORE } },
    });
    expect((await typed('profiles')).out).to.include('psk_test_…9aBc');
  });

  it('store no invalid key', async () => {
    const { status, err } = await typed(`login --url ${url} --key-env OTHER`, { OTHER: 'psk_test_unknown' });
    expect([status, err.includes('unauthenticated: ')]).to.deep.equal([1, true]);
    expect((await typed('profiles --json')).out).to.equal('{"profiles":[]}\n');
  });

  it("accept a store's key, with the given store", async () => {
    await typed(`login --url ${url} --key-env STORE_KEY --store ${STORE} --profile shop`);
    expect(await typed('api listOrders --profile shop --json')).to.deep.include({ status: 0, out: '{"orders":[]}\n' });
    expect(requested.at(-1)).to.equal(`GET /api/v1/workspaces/${STORE}/commerce/orders`);
  });

  it("explain that a store's key names no store, and how to set it once", async () => {
    const { out } = await typed(`login --url ${url} --key-env STORE_KEY --profile shop`);
    expect(out).to.include("Set a default store with 'suuq login --store ID'");
    const { status, err } = await typed('api listOrders --profile shop');
    expect([status, err.split('\n')[0]]).to.deep.equal([
      2,
      "suuq: -q workspaceId=… is missing; 'suuq login --store ID' sets it for the profile",
    ]);
  });

  it('explain what is wrong with a port that no client may use', async () => {
    // A port that browsers and fetch block, even if a server listens there.
    const { status, err } = await typed('login --url http://127.0.0.1:4190 --key-env OTHER', {
      OTHER: 'psk_test_unknown',
    });
    expect(status).to.equal(1);
    expect(err).to.match(/^service_unreachable: Browsers and clients refuse the port of http:\/\/127\.0\.0\.1:4190/);
  });

  it('report at once that a key was revoked, and what to do', async () => {
    await login(' --profile shop');
    answers = () => problem(401, 'unauthenticated');
    const { status, err } = await typed('api listOrders --profile shop');
    expect(status).to.equal(1);
    expect(err).to.match(
      /^unauthenticated: It is unauthenticated\. Log in with another key: 'suuq login --profile shop'\. \(request r-1\)\n$/,
    );
    expect(requested.filter((one) => one.endsWith('/orders'))).to.have.lengthOf(1);
  });

  it('can be removed', async () => {
    await login();
    expect((await typed('logout --json')).out).to.equal('{"profile":"default","removed":true}\n');
    expect(readFileSync(file(), 'utf8')).to.not.include(KEY);
    expect((await typed('logout')).err).to.match(/^no_profile: /);
  });

  it('are selected by --profile, by SUUQ_PROFILE, or default', async () => {
    await login();
    await login(' --profile other');
    for (const [line, env] of [
      ['api listOrders', {}],
      ['api listOrders', { SUUQ_PROFILE: 'other' }],
      ['api listOrders --profile other', { SUUQ_PROFILE: 'none' }],
    ] as const)
      expect((await typed(`${line} --json`, env)).out).to.equal('{"orders":[{"id":"o-1"}]}\n');
    expect((await typed('api listOrders --profile ohter')).err).to.include("did you mean 'other'?");
    expect((await typed('api listOrders', { SUUQ_PROFILE: 'none' })).err).to.match(/^no_profile: .*'none'/);
  });

  it('are not read from a file of another kind', async () => {
    await login();
    for (const text of ['', '{}', '[]', '{"profiles":{"default":1}}']) {
      writeFileSync(file(), text);
      expect((await typed('api listOrders')).err, text).to.match(/^profiles_unreadable: /);
    }
  });

  it('report an unavailable service, and one of another version', async () => {
    await login();
    version = 'v2';
    expect((await typed('api listOrders')).err).to.match(/^other_version: .*has version v2/);
    const away = createServer();
    const port = await listen(away, '127.0.0.1', 0);
    await close(away, 0);
    const { status, err } = await typed(`login --url http://127.0.0.1:${port} --key-env KEY --json`);
    expect([status, JSON.parse(err).error.code]).to.deep.equal([1, 'service_unreachable']);
    expect(JSON.parse(err).error.message).to.include('ECONNREFUSED');
  });

  it('explain what to do with neither a profile nor a service', async () => {
    expect((await typed('api listOrders')).err).to.match(/^no_profile: .*suuq start.*suuq login/);
    expect((await typed('open')).err).to.match(/^not_running: .*suuq start/);
  });

  const wrong: readonly (readonly [string, string])[] = [
    ['login --url http://example.com --key-env KEY', 'must begin with https://'],
    ['login --url https://a:b@example.com --key-env KEY', 'must not carry a user name'],
    ['login --url nonsense --key-env KEY', 'is not a URL'],
    ['login --key-env KEY', '--url is missing'],
    ['login --url https://example.com --key-env NONE', 'NONE contains no key'],
    ['login --url https://example.com --key-env PUBLIC', 'not a secret key'],
    ['login --url https://example.com --key-env KEY --key-file x', 'not both'],
    ['login --url https://example.com --key-env KEY --profile ../x', 'is not a valid profile name'],
    ['api', '<METHOD|OPERATION> is missing'],
    ['api get', '<PATH> is missing'],
    ['api listOrder', "did you mean 'listOrders'?"],
    ['api LISTORDERS', "did you mean 'listOrders'?"],
    ['api gett /partner', "did you mean 'get'?"],
    ['api listOrders -q limt=1', 'did you mean limit?'],
    ['api listOrders -q limit', 'is not of the form NAME=VALUE'],
    ['api listOrders more', 'is an unexpected argument'],
    ['api getOrder', '-q orderId=… is missing'],
    ['api get /partner?limit=1', 'as -q, such as -q limit=1'],
    ['api get /workspaces/{workspaceId}/x', 'replace the placeholders with ids'],
    ['api listOrders -d {}', 'has no body'],
    ['api createPromotion -d {', '-d is not JSON'],
    ['api uploadFile', 'needs a file'],
    ['api getFile -q fileId=f', 'the response is a file'],
    ['api listOrders -o orders.json', 'the response is not a file'],
    ['open dcos', "did you mean 'docs'?"],
    ['open console --profile default', 'can only be opened there'],
    ['trigger order.pad', 'did you mean order.paid?'],
    ['trigger order.paid --set amont=1', 'did you mean amount?'],
    ['trigger order.paid --set amount', 'is not of the form NAME=VALUE'],
    ['trigger order.paid --set phone=+252', 'must be 8 to 15 digits'],
    ['listen --events order.pad', 'did you mean order.paid?'],
    ['listen --events nothing.*', 'there is no event type'],
    ['listen --forward-to http://a:b@127.0.0.1/', 'must not carry a user name'],
    ['listen --port 70000', '--port must be from 0 to 65535'],
    ['listen --partner a --store b', 'not both'],
    ['listen --profile default', '--url is missing'],
    ['listen --url http://127.0.0.1', 'must be an https address'],
  ];
  for (const [line, sentence] of wrong)
    it(`reject invalid usage: suuq ${line}`, async () => {
      await login();
      requested = [];
      const { status, out, err } = await typed(line, { PUBLIC: 'pk_test_of-a-test' });
      expect([status, out, requested], err).to.deep.equal([2, '', []]);
      expect(err).to.include(sentence).and.include('Usage: suuq');
    });
});

describe('requests of the API', () => {
  it('list the events that can be triggered', async () => {
    const shown = { out: '' };
    const none = () => Promise.reject(new Error('nothing may be done'));
    const host = {
      watched: false,
      version: '1',
      withExecute: none,
      start: none,
      sandbox: none,
      move: none,
      settle: none,
    };
    const out = (text: string) => {
      shown.out += text;
    };
    await runCli(['trigger', '--json'], { ...host, out, err: out, upkeep: none });
    const { events } = JSON.parse(shown.out) as { events: readonly { type: string }[] };
    expect(events.map(({ type }) => type)).to.include.members(['order.paid', 'conversation.merged', 'webhook.test']);
  });
});
