/** Sign-ins during which something that their session rests on ends, and comes back later. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { SignInWork } from '../../application/access/joinPlan.js';
import { hashOf } from '../../application/access/keys.js';
import { signIn } from '../../application/access/signIn.js';
import type { VerifiedUser } from '../../application/access/userTokens.js';
import { session } from '../../domain/access/session.js';
import { DomainError } from '../../domain/decider.js';
import { bindCommands } from '../../engine/commandHandler/boundCommands.js';
import { stores } from '../../projections/stores.js';
import { type Keys, openSessionStage, type SessionStage } from '../support/stages/sessionStage.js';
import { until } from '../support/tools/until.js';

describe('a session opened while it ends', () => {
  let stage: SessionStage;
  before(async () => {
    stage = await openSessionStage();
  });
  after(() => stage.close());

  const claims = (sub: string): Pick<VerifiedUser['claims'], 'sub' | 'jti' | 'exp'> => ({
    sub,
    jti: randomUUID(),
    exp: stage.seconds() + 300,
  });
  const keysOf = ({ secret, publishable }: Keys) => ({
    mode: 'live' as const,
    publishableKey: { keyId: publishable.id, hash: hashOf(publishable.key) },
    signingKey: { keyId: secret.id, hash: hashOf(secret.key) },
    scopes: [],
  });
  const ofStore = (keys: Keys): VerifiedUser => ({
    ...keysOf(keys),
    workspaceId: keys.id,
    claims: { ...claims('asha'), email: 'asha@example.com', emailVerified: true, stores: [] },
  });
  const ofPartner = (keys: Keys, externalRefs: readonly string[]): VerifiedUser => ({
    ...keysOf(keys),
    partnerId: keys.id,
    claims: {
      ...claims('asha'),
      name: 'Asha',
      emailVerified: false,
      stores: externalRefs.map((externalRef) => ({ externalRef, role: 'agent' })),
    },
  });

  /** The view of stores does not show yet what another instance has made, until it has caught up with the log. */
  let isLate = false;

  /** Signs in; `meanwhile` happens when everything has been looked at and the session is not there yet. */
  async function signedIn(user: VerifiedUser, meanwhile: () => Promise<unknown>, sessionId = randomUUID()) {
    const { services } = stage.instance();
    const commands = services.commandHandler;
    const actor = { type: 'system' } as const;
    const bound = bindCommands(commands, { commandId: randomUUID(), actor, correlationId: randomUUID() });
    let opened = '';
    const late: typeof bound = {
      ...bound,
      async decide(aggregate, id, decision) {
        if (aggregate.name === session.name && opened === '') {
          opened = id;
          await meanwhile();
        }
        return commands.decide({ commandId: randomUUID(), actor, correlationId: id }, aggregate, id, decision);
      },
    };
    const uses: string[] = [];
    const use = (what: string) => async (): Promise<void> => {
      uses.push(what);
    };
    const taken = use('taken');
    const token = {
      check: use('checked'),
      take: () => taken().then(() => sessionId),
      release: use('given back'),
    };
    const reads: SignInWork['reads'] = {
      get: (view, id) => services.reads.get(view, id),
      getMany: async (view, ids) => (isLate && view === stores ? new Map() : services.reads.getMany(view, ids)),
      find: async (view, query) => (isLate && view === stores ? [] : services.reads.find(view, query)),
      count: (view, where, limit) => services.reads.count(view, where, limit),
      caughtUp: async () => {
        isLate = false;
      },
    };
    const work = { commands: late, reads, now: stage.clock.now(), newId: () => randomUUID(), token };
    const outcome = await signIn(work, user).catch((error: unknown) => {
      if (error instanceof DomainError) return error.code;
      return (error as Error).message;
    });
    return { outcome, uses, state: await commands.query(session, opened, (state) => state) };
  }

  it('is ended and stays so when the member was disabled', async () => {
    const store = await stage.store('Disabling');
    const { outcome, state, uses } = await signedIn(ofStore(store), async () => {
      let asha: { id: string } | undefined;
      await until('the member is listed', async () => {
        const { members } = await stage.operator('members.list', { workspace: store.id });
        asha = members.find(({ email }: { email: string }) => email === 'asha@example.com');
        return asha !== undefined;
      });
      await stage.operator('members.disable', { workspace: store.id, id: asha!.id });
    });
    expect([outcome, state.status]).to.deep.equal(['member_disabled', 'ended']);
    expect(uses, 'the user token is good again').to.deep.equal(['checked', 'taken', 'given back']);
  });

  it('is opened by one request if another that seemed to fail opens it later', async () => {
    const store = await stage.store('Failing');
    const sessionId = randomUUID();
    const failed = await signedIn(ofStore(store), () => Promise.reject(new Error('disk full')), sessionId);
    expect([failed.outcome, failed.state.status, ...failed.uses]).to.deep.equal([
      'disk full',
      'absent',
      'checked',
      'taken',
    ]);
    const { outcome, state, uses } = await signedIn(
      ofStore(store),
      () => signedIn(ofStore(store), async () => undefined, sessionId),
      sessionId,
    );
    expect([outcome, state.status]).to.deep.equal(['user_token_replayed', 'open']);
    expect(uses, 'the user token is used').to.deep.equal(['checked', 'taken']);
  });

  it('opens in stores just created by another instance', async () => {
    const store = await stage.store('Made just now');
    const partner = await stage.partner('making');
    await stage.partnerStore(partner.id, 'one');
    for (const user of [ofStore(store), ofPartner(partner, ['one'])]) {
      isLate = true;
      const { state } = await signedIn(user, async () => undefined);
      expect(state.status).to.equal('open');
    }
  });

  it('is read-only when the store was closed', async () => {
    const store = await stage.store('Closing');
    const { outcome, state } = await signedIn(ofStore(store), () =>
      stage.operator('stores.suspend', { workspace: store.id }),
    );
    expect(outcome).to.have.nested.property('stores[0].workspaceId', store.id);
    expect(state.status).to.equal('open');
  });

  it('continues with the remaining stores', async () => {
    const partner = await stage.partner('closing');
    const [first, second] = [await stage.partnerStore(partner.id, 'one'), await stage.partnerStore(partner.id, 'two')];
    const { outcome, state, uses } = await signedIn(ofPartner(partner, ['one', 'two']), async () => {
      // A moment later than the store is made, the owner is listed.
      let owner: { id: string } | undefined;
      await until('the owner is listed', async () => {
        owner = (await stage.operator('members.list', { workspace: first })).members[0];
        return owner !== undefined;
      });
      await stage.operator('members.disable', { workspace: first, id: owner!.id });
    });
    expect(uses).to.deep.equal(['checked', 'taken']);
    const leftOut = [{ externalRef: 'one', code: 'member_disabled', detail: 'The member is disabled in this store.' }];
    expect(outcome).to.have.deep.property('leftOut', leftOut);
    expect(outcome).to.have.nested.property('stores[0].workspaceId', second);
    expect(outcome).to.have.nested.property('stores.length', 1);
    expect(state).to.deep.include({ status: 'open', workspaceIds: [second] });
  });

  it('is ended when the partner was suspended', async () => {
    const partner = await stage.partner('suspending');
    await stage.partnerStore(partner.id, 'one');
    const { outcome, state } = await signedIn(ofPartner(partner, ['one']), () =>
      stage.operator('partners.suspend', { id: partner.id }),
    );
    expect([outcome, state.status]).to.deep.equal(['permission_denied', 'ended']);
  });
});
