/** Sessions over two instances: one instance sees sessions that the other opened, refreshed or ended. */
import { expect } from 'chai';
import { type InstancesStage, instancesStage, noInstances, type Store } from '../../harness/engines/instancesStage.js';
import type { ServiceProcess } from '../../harness/service/serviceProcess.js';
import { type Any, jwt } from '../support/stages/sessionStage.js';

const title = 'sessions over two instances';
if (noInstances !== undefined) it(`${title} (${noInstances})`);
else
  describe(title, function () {
    this.timeout(120_000);
    let stage: InstancesStage;
    let one: ServiceProcess;
    let two: ServiceProcess;
    let store: Store;
    let publishable: { id: string; key: string };
    let count = 0;
    before(async () => {
      stage = await instancesStage();
      one = await stage.start('one');
      store = await stage.store('one');
      two = await stage.start('two');
      const mode = store.secretKey.startsWith('sk_live_') ? 'live' : 'test';
      const words = ['--workspace', store.workspaceId, '--mode', mode, '--kind', 'publishable'];
      publishable = await stage.json('one', 'admin', 'keys', 'create', ...words);
    });
    after(() => stage?.close());

    async function call(at: ServiceProcess, method: string, path: string, token?: string, body?: object): Promise<Any> {
      const answer = await fetch(`${at.baseUrl}/api/v1${path}`, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
    }
    const orders = (at: ServiceProcess, token: string) =>
      call(at, 'GET', `/workspaces/${store.workspaceId}/commerce/orders`, token);
    const userToken = (): string => {
      const jti = `jti-${Date.now()}-${++count}`;
      const exp = Math.floor(Date.now() / 1000) + 300;
      const email = 'asha@example.com';
      return jwt({ sub: 'asha', jti, exp, email, email_verified: true, role: 'owner' }, store.secretKey);
    };
    const signIn = (at: ServiceProcess, token: string) =>
      call(at, 'POST', '/sdk/sessions', undefined, { publishableKey: publishable.key, userToken: token });
    /** Waits until the session is refused as ended. An instance may cache a session for one second. */
    async function ended(at: ServiceProcess, token: string): Promise<void> {
      const deadline = Date.now() + 10_000;
      for (;;) {
        const { body } = await orders(at, token);
        if (body.code === 'session_ended') return;
        if (Date.now() > deadline) expect.fail(`it goes on: ${JSON.stringify(body)}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }

    it('begin on one and continue on the other, refresh by refresh', async () => {
      let { token } = (await signIn(one, userToken())).body;
      for (const [at, then] of [
        [two, one],
        [one, two],
        [two, one],
      ] as const) {
        expect((await orders(at, token)).status).to.equal(200);
        const refreshed = await call(at, 'POST', '/sdk/sessions/refresh', token);
        expect(refreshed.status, JSON.stringify(refreshed.body)).to.equal(200);
        token = refreshed.body.token;
        expect((await orders(then, token)).status, 'at once').to.equal(200);
      }
    });

    it('open one session for a user token that reaches both at once', async () => {
      const token = userToken();
      const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => signIn(n % 2 === 0 ? one : two, token)));
      const codes = answers.map(({ status, body }) => (status === 201 ? 'opened' : body.code)).sort();
      expect(codes).to.deep.equal(['opened', ...Array(9).fill('user_token_replayed')]);
    });

    it('end on both', async () => {
      const { token } = (await signIn(one, userToken())).body;
      expect((await orders(two, token)).status).to.equal(200);
      expect((await call(one, 'DELETE', '/sdk/sessions/current', token)).status).to.equal(204);
      expect((await orders(one, token)).body.code).to.equal('session_ended');
      await ended(two, token);
      const { token: other } = (await signIn(two, userToken())).body;
      await stage.json('one', 'admin', 'keys', 'revoke', '--id', publishable.id);
      await ended(one, other);
      await ended(two, other);
    });
  });
