/** Sessions against the published document, and their permissions for every operation. */
import { expect } from 'chai';
import type { KeyedOperation } from '../../api/contract/operation.js';
import { routeOf } from '../../api/contract/routes.js';
import { operations } from '../../api/operations/index.js';
import { ROLE_SCOPES } from '../../domain/access/roles.js';
import { WORKSPACE_SCOPES } from '../../domain/access/scopes.js';
import { type Body, isProblem, locations } from '../support/conformance/answers.js';
import { bodyOf, newParams } from '../support/conformance/samples.js';
import { type ConformanceStage, conformanceStage, isPartners, operationNamed } from '../support/conformance/stage.js';
import { jwt } from '../support/stages/sessionStage.js';

const named = (id: string) => operationNamed(operations, id);
const keyed = operations.filter((one): one is KeyedOperation => one.scope !== null);
const now = (): number => Math.floor(Date.now() / 1000);

describe('sessions and every operation', () => {
  let stage: ConformanceStage;
  let publishableKey: string;
  let secret: string;
  const tokens: Record<string, string> = {};
  let count = 0;

  const bodyFor = (role: string, by = secret): Body => ({
    publishableKey,
    userToken: jwt(
      {
        sub: role,
        jti: `jti-${Date.now()}-${++count}`,
        exp: now() + 300,
        name: 'Asha',
        stores: [{ externalRef: stage.main.store.externalRef, role }],
      },
      by,
    ),
  });
  before(async () => {
    stage = await conformanceStage();
    const owner = { partner: stage.main.id, mode: 'live' };
    publishableKey = (await stage.operator('keys.create', { ...owner, kind: 'publishable' })).key;
    const scopes = ['partner.stores:manage', ...WORKSPACE_SCOPES];
    secret = (await stage.operator('keys.create', { ...owner, scopes })).key;
    for (const role of ['owner', 'viewer']) {
      const answer = await stage.call(named('createSDKSession'), { key: null, body: bodyFor(role) });
      expect(answer.status, answer.text).to.equal(201);
      tokens[role] = answer.body.token;
    }
  });
  after(() => stage.close());

  it('work as documented', async () => {
    const create = named('createSDKSession');
    const started = await stage.call(create, { key: null, body: { ...bodyFor('agent'), embedOrigin: undefined } });
    const key = started.body.token;
    const refreshed = await stage.call(named('refreshSDKSession'), { key });
    expect(refreshed.status).to.equal(200);
    expect((await stage.call(named('endSDKSession'), { key: refreshed.body.token })).status).to.equal(204);
    isProblem(await stage.call(named('refreshSDKSession'), { key }), 401, 'session_ended');
    isProblem(await stage.call(create, { key: null, body: bodyFor('agent', 'x') }), 401, 'user_token_invalid');
  });

  it('check the limits of the operations that create them', async () => {
    const create = named('createSDKSession');
    const good = bodyFor('agent');
    const wrong: readonly [string, Body][] = [
      ['body.publishableKey', { ...good, publishableKey: undefined }],
      ['body.publishableKey', { ...good, publishableKey: '' }],
      ['body.publishableKey', { ...good, publishableKey: 'x'.repeat(129) }],
      ['body.publishableKey', { ...good, publishableKey: 7 }],
      ['body.userToken', { ...good, userToken: undefined }],
      ['body.userToken', { ...good, userToken: '' }],
      ['body.userToken', { ...good, userToken: 'x'.repeat(32_769) }],
      ['body.userToken', { ...good, userToken: null }],
      ['body.embedOrigin', { ...good, embedOrigin: 'x'.repeat(301) }],
      ['body.surprise', { ...good, surprise: 1 }],
    ];
    for (const [at, body] of wrong) {
      const answer = await stage.call(create, { key: null, body });
      isProblem(answer, 422, 'validation_failed', at);
      expect(locations(answer)).to.deep.equal([at]);
    }
    isProblem(await stage.call(create, { key: null, raw: '{' }), 400, 'malformed_body');
    isProblem(await stage.call(create, { key: null }), 422, 'validation_failed');
  });

  it("require the plan's feature", async () => {
    const { id, store } = await stage.addPartner('no-core', ['commerce.orders']);
    const owner = { partner: id, mode: 'live' };
    const { key } = await stage.operator('keys.create', { ...owner, kind: 'publishable' });
    const signing = await stage.operator('keys.create', { ...owner, scopes: ['partner.stores:manage'] });
    const claims = { sub: 'a', jti: 'b', exp: now() + 60, name: 'A' };
    const stores = [{ externalRef: store.externalRef, role: 'owner' }];
    const body = { publishableKey: key, userToken: jwt({ ...claims, stores }, signing.key) };
    isProblem(await stage.call(named('createSDKSession'), { key: null, body }), 403, 'feature_not_available');
  });

  for (const operation of keyed) {
    const requested = () => ({ params: newParams(operation), body: bodyOf(stage, operation) });
    if (isPartners(operation))
      it(`do not reach ${operation.id}`, async () => {
        for (const key of Object.values(tokens))
          isProblem(await stage.call(operation, { ...requested(), key }), 403, 'permission_denied');
      });
    else
      it(`reach ${operation.id} in their store only, within their role`, async () => {
        for (const [role, key] of Object.entries(tokens)) {
          for (const store of [stage.sibling, stage.rival.store])
            isProblem(await stage.call(operation, { ...requested(), key }, store), 404, 'not_found', role);
          const answer = await stage.call(operation, { ...requested(), key });
          const may = (ROLE_SCOPES[role as 'owner'] as readonly string[]).includes(operation.scope);
          if (may) expect(answer.body?.code, `${role} ${answer.text}`).to.not.equal('permission_denied');
          else isProblem(answer, 403, 'permission_denied', role);
        }
      });
  }

  it('allow requests from any page in a browser', async () => {
    const url = `${stage.baseUrl}${routeOf(named('refreshSDKSession')).path}`;
    const origin = 'https://shop.example';
    const request = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    const preflight = await fetch(url, { method: 'OPTIONS', headers: request });
    expect(preflight.status).to.equal(204);
    expect(preflight.headers.get('access-control-allow-origin')).to.equal('*');
    expect(preflight.headers.get('access-control-allow-methods')).to.include('POST');
    for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key'])
      expect(preflight.headers.get('access-control-allow-headers')).to.include(name);
    expect(preflight.headers.get('access-control-allow-credentials')).to.equal(null);
    for (const headers of [{ origin }, { origin, authorization: `Bearer ${tokens.owner}` }] as Record<
      string,
      string
    >[]) {
      const answer = await fetch(url, { method: 'POST', headers });
      expect(answer.headers.get('access-control-allow-origin')).to.equal('*');
      expect(answer.headers.get('access-control-expose-headers')).to.include('X-Request-Id');
    }
    const own = await fetch(`${stage.baseUrl}/healthz`, { headers: { origin } });
    expect(own.headers.get('access-control-allow-origin'), 'not of the API').to.equal(null);
  });
});
