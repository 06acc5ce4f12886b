import { createHmac, randomUUID } from 'node:crypto';
import { routeOf } from '../../api/contract/routes.js';
import { authorise, type Guard } from '../../api/http/access.js';
import type { Exchange } from '../../api/http/exchange.js';
import { getOrder } from '../../api/operations/orders/getOrder.js';
import { callService } from '../../service/admin/adminClient.js';
import { adminSocketPath } from '../../service/admin/protocol.js';
import { openInstance } from '../../service/composition/instance.js';
import { createLog } from '../../service/log.js';
import { readSettings } from '../../service/settings/settings.js';
import { load } from '../support/load.js';
import { atMost, type Figure } from '../support/report.js';
import { spread } from '../support/spread.js';
import { mustBe, onStage, type Stage } from '../support/stage.js';
import { placeOne } from './orders.js';

const MOST_PERCENT = 10;
const ROUNDS = 40;
const PER_ROUND = 2000;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A session of a new member of the demo store. */
async function sessionToken({ demo, folder, service }: Stage): Promise<string> {
  const { workspaceId, secretKey } = demo.store;
  const mode = secretKey.startsWith('sk_live_') ? 'live' : 'test';
  const made = { workspace: workspaceId, mode, kind: 'publishable' };
  const { key: publishableKey } = (await callService(adminSocketPath(folder), 'keys.create', made)) as { key: string };
  const claims = { sub: 'bench', jti: randomUUID(), exp: Math.floor(Date.now() / 1000) + 300, role: 'owner' };
  const signed = `${part({ alg: 'HS256' })}.${part({ ...claims, email: 'bench@example.com', email_verified: true })}`;
  const userToken = `${signed}.${createHmac('sha256', secretKey).update(signed).digest('base64url')}`;
  const answer = await fetch(`${service.baseUrl}/api/v1/sdk/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ publishableKey, userToken }),
  });
  const { token } = (await answer.json()) as { token: string };
  mustBe('createSDKSession', answer.status === 201, answer.status);
  return token;
}

/** ms between credential and operation: the same code on the same data, without HTTP. */
async function authorising(folder: string, workspaceId: string, credential: string): Promise<number> {
  const instance = await openInstance(readSettings({ SUUQ_DATA: folder }), createLog('silent'));
  try {
    const { directory, clock } = instance.services;
    const guard = { directory, now: () => clock.now() } as Guard;
    const exchange = { request: { headers: { authorization: `Bearer ${credential}` } } } as unknown as Exchange;
    const route = routeOf(getOrder);
    const params = { workspaceId, orderId: randomUUID() };
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const started = performance.now();
      for (let n = 0; n < PER_ROUND; n += 1) await authorise(getOrder, route, params, exchange, guard);
      rounds.push((performance.now() - started) / PER_ROUND);
    }
    return spread(rounds).median;
  } finally {
    await instance.close();
  }
}

/**
 * Share of authentication in a getOrder: credential, reach, scope, feature. The credential is used more than once a second, as by screens
 * and servers; the first request of each second reads the views.
 */
export const authentication = (): Promise<Figure[]> =>
  onStage(async (stage) => {
    const path = await placeOne(stage);
    const { workspaceId, secretKey } = stage.demo.store;
    const credentials = { key: secretKey, session: await sessionToken(stage) };
    const perRequest = new Map<string, number>();
    for (const [name, credential] of Object.entries(credentials)) {
      const headers = { authorization: `Bearer ${credential}` };
      const { perSecond, failures } = await load({ url: `${stage.service.baseUrl}${path}`, headers, seconds: 4 });
      mustBe(`getOrder by ${name}`, failures === 0, failures);
      perRequest.set(name, 1000 / perSecond);
    }
    await stage.service.stop();
    const figures: Figure[] = [];
    for (const [name, credential] of Object.entries(credentials)) {
      const ms = await authorising(stage.folder, workspaceId, credential);
      const percent = (ms / perRequest.get(name)!) * 100;
      figures.push(atMost(`authentication by ${name}, of a getOrder`, percent, '%', MOST_PERCENT));
    }
    return figures;
  });
