/** Links that work once, sessions, and what every request to the console has to bear. */
import { expect } from 'chai';
import { SESSION_MS } from '../../application/console/access.js';
import type { ConsoleTerms } from '../../domain/console/consoleEvents.js';
import { derivedId } from '../../domain/ids.js';
import {
  type ConsoleAnswer,
  type ConsoleStage,
  OTHER,
  openConsoleStage,
  SHOP,
} from '../support/stages/consoleStage.js';

const operator = { role: 'operator' } as const;

describe('signing in to the console', () => {
  let stage: ConsoleStage;
  before(async () => {
    stage = await openConsoleStage();
  });
  after(() => stage.close());
  const enter = (link: string, headers: Record<string, string> = {}) =>
    stage.request('POST', '/api/enter', headers, { link });

  it('accepts a link once, and hides the session from scripts', async () => {
    const { token, sessionId } = await stage.link(operator);
    const first = await enter(token);
    expect(first.status).to.equal(204);
    const [cookie] = first.headers['set-cookie']!;
    expect(cookie).to.match(
      /^suuq_console=[0-9a-f]{32}\.[\w-]{43}; Path=\/console; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    );
    expect(cookie).not.to.contain(token);
    const again = await enter(token);
    expect([again.status, again.body.code]).to.deep.equal([401, 'console_link_used']);
    expect(again.headers['set-cookie']).to.equal(undefined);
    const session = await stage.request('GET', '/api/session', { cookie: cookie!.split(';')[0]! });
    expect(session.body).to.include({ role: 'operator', sessionId });
    const stored = JSON.stringify(await stage.eventStore.readStream(`consoleSession-${sessionId}`));
    expect(stored).not.to.contain(token.slice(33));
    expect(stored).not.to.contain(cookie!.slice(46, 89));
  });

  it('gives a session to one of two that use it at once', async () => {
    const { token } = await stage.link(operator);
    const answers = await Promise.all([enter(token), enter(token)]);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, 401]);
  });

  it('rejects an expired link, and an unknown one', async () => {
    const { token, until } = await stage.link(operator);
    await stage.clock.advance(until - stage.clock.now());
    expect((await enter(token)).body.code).to.equal('console_link_expired');
    const { token: other } = await stage.link(operator);
    for (const wrong of [
      '',
      'x',
      `${other.slice(0, -1)}${other.endsWith('A') ? 'B' : 'A'}`,
      `${'0'.repeat(32)}.${'A'.repeat(43)}`,
    ])
      expect((await enter(wrong)).body.code, wrong).to.equal('console_link_unknown');
  });

  it('ends on expiry, by its user, and by an operator', async () => {
    const one = await stage.signIn(operator);
    const two = await stage.signIn({ role: 'store', workspaceId: SHOP });
    const listed = (await stage.read(one, '/api/sessions')).body.sessions as { id: string; current: boolean }[];
    expect(listed.find(({ id }) => id === one.sessionId)?.current).to.equal(true);
    expect(JSON.stringify(listed)).not.to.match(/tokenHash|[0-9a-f]{64}/);
    expect((await stage.change(one, `/api/sessions/${two.sessionId}/end`)).status).to.equal(204);
    expect((await stage.read(two, '/api/session')).body.code).to.equal('console_signed_out');
    expect((await stage.change(one, '/api/sign-out')).status).to.equal(204);
    expect((await stage.read(one, '/api/session')).status).to.equal(401);
    const three = await stage.signIn(operator);
    await stage.clock.advance(SESSION_MS);
    expect((await stage.read(three, '/api/session')).body.code).to.equal('console_signed_out');
  });

  it('lasts as long as its link states', async () => {
    const { token } = await stage.link({ role: 'store', workspaceId: SHOP }, 60_000);
    const cookie = (await enter(token)).headers['set-cookie']![0]!;
    expect(cookie).to.contain('Max-Age=60');
    await stage.clock.advance(60_000);
    expect((await stage.request('GET', '/api/session', { cookie: cookie.split(';')[0]! })).status).to.equal(401);
  });

  describe('restricts its cookie to TLS', () => {
    const cookieOf = async (stage: ConsoleStage, headers: Record<string, string>): Promise<string> => {
      const { token } = await stage.link(operator);
      const entered = await stage.request('POST', '/api/enter', headers, { link: token });
      expect(entered.status).to.equal(204);
      return entered.headers['set-cookie']![0]!;
    };
    const publicUrl = 'https://suuq.example';
    for (const apart of [false, true])
      it(`behind a TLS proxy${apart ? ', before a port of the console’s own' : ''}, and not on this machine`, async () => {
        const proxied = await openConsoleStage({ publicUrl, apart });
        try {
          const host = apart ? 'suuq.example:8443' : 'suuq.example';
          expect(await cookieOf(proxied, { host, origin: `https://${host}` })).to.match(/; Secure$/);
          const { origin, host: here } = new URL(proxied.consoleUrl);
          expect(await cookieOf(proxied, { host: here, origin })).not.to.contain('Secure');
        } finally {
          await proxied.close();
        }
      });
    it('by the console’s address if the request does not show it', async () => {
      const proxied = await openConsoleStage({ publicUrl });
      try {
        expect(await cookieOf(proxied, { host: 'suuq.example' })).to.match(/; Secure$/);
      } finally {
        await proxied.close();
      }
    });
  });

  it('rejects changes without the token of the session', async () => {
    const browser = await stage.signIn(operator);
    const { cookie } = browser;
    const path = '/api/projections/orders/rebuild';
    const before = stage.executed.length;
    const wrong: Record<string, string>[] = [{}, { 'x-csrf-token': '' }, { 'x-csrf-token': 'a'.repeat(64) }];
    for (const headers of wrong) {
      const answer = await stage.request('POST', path, { cookie, ...headers }, {});
      expect([answer.status, answer.body.code]).to.deep.equal([403, 'csrf_token_missing']);
    }
    const other = await stage.signIn(operator);
    const crossed = await stage.request('POST', path, { cookie, 'x-csrf-token': other.csrf }, {});
    expect(crossed.status).to.equal(403);
    expect(stage.executed.length).to.equal(before);
    expect((await stage.change(browser, path)).status).to.equal(204);
    expect(stage.executed.at(-1)).to.deep.equal(['projections.rebuild', { name: 'orders' }]);
  });

  it('rejects unknown host names and pages of other sites', async () => {
    const browser = await stage.signIn(operator);
    const { cookie } = browser;
    const foreign: Record<string, string>[] = [
      { host: 'rebound.example:3000' },
      { origin: 'https://other.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:1' },
    ];
    const paths = ['/api/session', '/api/events', '/api/tail', `/api/v1/workspaces/${SHOP}/commerce/orders`];
    for (const headers of foreign) {
      for (const path of paths) {
        const answer = await stage.request('GET', path, { cookie, ...headers });
        expect([path, answer.status, answer.body?.code]).to.deep.equal([path, 403, 'foreign_request']);
      }
      const { token } = await stage.link(operator);
      expect((await enter(token, headers)).body.code).to.equal('foreign_request');
      expect((await enter(token)).status, 'the link still works').to.equal(204);
      expect((await stage.change(browser, '/api/sign-out', {}, headers)).status).to.equal(403);
      expect((await stage.request('GET', '/', headers)).status).to.be.within(403, 421);
    }
    expect((await stage.read(browser, '/api/session')).status).to.equal(200);
  });

  it('requires a session for every read and change', async () => {
    for (const path of [
      '/session',
      '/stores',
      '/areas',
      '/events',
      '/events/0',
      '/events/0/effects',
      '/machine',
      '/sessions',
      '/tail',
      `/v1/workspaces/${SHOP}/commerce/orders`,
    ])
      expect([path, (await stage.request('GET', `/api${path}`)).body.code]).to.deep.equal([path, 'console_signed_out']);
    expect((await stage.request('POST', '/api/sign-out', {}, {})).status).to.equal(401);
    // A key is no session, and a session is no key.
    const bearer = { authorization: 'Bearer sk_test_all' };
    expect((await stage.request('GET', '/api/stores', bearer)).status).to.equal(401);
    const { cookie } = await stage.signIn(operator);
    const api = await fetch(`${stage.url}/api/v1/workspaces/${SHOP}/commerce/orders`, { headers: { cookie } });
    expect(api.status).to.equal(401);
  });

  it('lists all stores page by page, and finds them by name, reference and id', async () => {
    const many = 700;
    const idOf = (i: number): string => derivedId('one of many stores', i);
    const at = '2026-01-01T00:00:00.000Z';
    const put = Array.from({ length: many }, (_, i) => ({
      id: idOf(i),
      revision: 1,
      keys: { partnerId: null, externalRef: null, createdAt: at, status: 'active', planKey: 'all', testKeys: null },
      body: { workspaceId: idOf(i), name: `Stall ${i}`, externalRef: `ref-${i}`, status: 'active', createdAt: at },
    }));
    await stage.views.write({ [await stage.views.resolve('stores')]: { put } });
    const signedIn = await stage.signIn(operator);
    const ids: string[] = [];
    const pages: number[] = [];
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { body }: ConsoleAnswer = await stage.read(signedIn, `/api/stores?after=${after}`);
      ids.push(...body.stores.map(({ workspaceId }: { workspaceId: string }) => workspaceId));
      pages.push(body.stores.length);
      after = body.next;
    }
    expect(pages).to.deep.equal([500, many + 2 - 500]);
    expect(new Set(ids)).to.have.property('size', many + 2);
    expect(ids).to.include.members([SHOP, OTHER]);
    const found = async (search: string): Promise<string[]> =>
      (await stage.read(signedIn, `/api/stores?search=${search}`)).body.stores.map(
        ({ name }: { name: string }) => name,
      );
    expect(await found('stall%20699')).to.deep.equal(['Stall 699']);
    expect(await found('REF-698')).to.deep.equal(['Stall 698']);
    expect(await found(idOf(697))).to.deep.equal(['Stall 697']);
    expect(await found('no-such-store')).to.deep.equal([]);
    expect((await stage.read(signedIn, '/api/stores?after=nonsense')).status).to.equal(422);
    await stage.views.write({
      [await stage.views.resolve('stores')]: { remove: put.map(({ id }) => ({ id, revision: 2 })) },
    });
  });

  it('opens any store by its id, in addition to the listed newest ones, and store members only their own', async () => {
    const named = async (terms: ConsoleTerms, path: string): Promise<string[]> => {
      const { body } = await stage.read(await stage.signIn(terms), path);
      return body.stores.map(({ workspaceId }: { workspaceId: string }) => workspaceId);
    };
    expect(await named(operator, `/api/stores?workspace=${OTHER}`)).to.deep.equal([OTHER]);
    expect(await named({ role: 'store', workspaceId: SHOP }, `/api/stores?workspace=${OTHER}`)).to.deep.equal([SHOP]);
  });
});
