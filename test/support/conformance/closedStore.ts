/** A closed store with objects of each kind, and the credentials that can call its operations. */
import { randomUUID } from 'node:crypto';
import type { Operation } from '../../../api/contract/operation.js';
import { operations } from '../../../api/operations/index.js';
import { WORKSPACE_SCOPES } from '../../../domain/access/scopes.js';
import { jwt } from '../stages/sessionStage.js';
import { madeParams, pathNames } from './samples.js';
import { type ConformanceStage, isPartners, operationNamed, product, type Store } from './stage.js';

type Params = Readonly<Record<string, string>>;

export interface ClosedStore {
  readonly store: Store;
  /** Keys of the store and of its partner, and a session of its owner that was opened before the store was closed. */
  readonly credentials: readonly string[];
  /** Returns path parameters for a request with the credential at this index. */
  params(operation: Operation, place: number): Params;
}

async function ownersSession(stage: ConformanceStage, { workspaceId: workspace }: Store): Promise<string> {
  const owner = { workspace, mode: 'live' };
  const { key: publishableKey } = await stage.operator('keys.create', { ...owner, kind: 'publishable' });
  const { key } = await stage.operator('keys.create', { ...owner, scopes: WORKSPACE_SCOPES });
  const user = { sub: 'owner', email: 'owner@example.com', email_verified: true, role: 'owner' };
  const claims = { ...user, jti: randomUUID(), exp: Math.floor(Date.now() / 1000) + 300 };
  const body = { publishableKey, userToken: jwt(claims, key) };
  return (await stage.call(operationNamed(operations, 'createSDKSession'), { key: null, body })).body.token;
}

/** Creates a store of the main partner, fills it and closes it. */
export async function closedStore(stage: ConformanceStage): Promise<ClosedStore> {
  const named = (id: string): Operation => operationNamed(operations, id);
  const store = await stage.addStore(stage.main, 'closed-store');
  for (const externalId of ['shirt', 'trousers'])
    await stage.call(named('upsertProduct'), { params: { externalId }, body: product() }, store);
  const credentials = [store.key, stage.main.key, await ownersSession(stage, store)];
  const shared: Record<string, string> = {};
  /** Path parameters of operations that work in it: one set per request, which may use its object up. */
  const own = new Map<string, Params[]>();
  for (const operation of operations.filter((one) => one.scope !== null && !isPartners(one))) {
    const names = pathNames(operation);
    if (names.some((name) => !(name in shared))) Object.assign(shared, await madeParams(stage, operation, store));
    if (operation.whenClosed === undefined || names.length === 0) continue;
    own.set(operation.id, []);
    for (const _ of credentials) own.get(operation.id)!.push(await madeParams(stage, operation, store));
  }
  const params = { externalRef: store.externalRef };
  await stage.call(named('closePartnerStore'), { params });
  return {
    store,
    credentials,
    params: (operation, place) =>
      own.get(operation.id)?.[place] ?? Object.fromEntries(pathNames(operation).map((name) => [name, shared[name]!])),
  };
}
