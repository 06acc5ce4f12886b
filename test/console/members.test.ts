/** Members who sign in to the console as themselves: what each role sees and changes, and how soon a change applies. */
import { expect } from 'chai';
import { routeOf } from '../../api/contract/routes.js';
import { operations } from '../../api/operations/index.js';
import { addMember, changeRole, disableMember } from '../../domain/access/memberChanges.js';
import type { Role } from '../../domain/access/memberEvents.js';
import { members, ROLES } from '../../domain/access/members.js';
import { ROLE_SCOPES } from '../../domain/access/roles.js';
import { derivedId } from '../../domain/ids.js';
import { type Browser, ORDER, OTHER, OTHER_ORDER, SHOP, signedIn } from '../support/stages/consoleStage.js';
import { ConsoleTab } from '../support/stages/consoleTab.js';

const SEATS = { most: undefined };
/** Longest time until a change applies everywhere, in ms. */
const WITHIN_MS = 1_000;
const ANY = '00000000-0000-4000-8000-0000000000e9';

/** Operations of the console itself that a role may read, without the API's. */
const PAGES: Readonly<Record<string, readonly Role[]>> = {
  '/session': ROLES,
  '/stores': ROLES,
  '/areas': ROLES,
  [`/orders/${ORDER}/timeline`]: ROLES,
  [`/quote?workspace=${SHOP}&lines=SKU:1`]: ['owner', 'admin', 'supervisor'],
  [`/product-steps?workspace=${SHOP}&product=SKU`]: ['owner', 'admin', 'supervisor'],
  '/events': ['owner', 'admin'],
  '/requests': ['owner', 'admin'],
  '/commands': ['owner', 'admin'],
  [`/moments?workspace=${SHOP}&kind=store&from=2026-03-01T00:00:00Z&to=2026-03-01T00:00:00Z`]: ['owner', 'admin'],
  '/sessions': [],
  '/machine': [],
  '/projections/orders/documents': [],
};

interface Message {
  readonly session?: { readonly member: { readonly role: string } };
  readonly events: readonly {
    readonly position: number;
    readonly stream: string;
    readonly summary: string;
    readonly actor: { readonly name: string };
  }[];
}

describe('a member in the console', () => {
  const on = signedIn();
  let made = 0;

  /** Adds a member, and returns its id. */
  async function add(role: Role, status: 'invited' | 'active' = 'active', workspaceId = SHOP): Promise<string> {
    made += 1;
    const memberId = derivedId('member', made);
    const member = { memberId, userId: derivedId('user', made), name: `Member ${made}`, email: `m${made}@example.com` };
    await on.stage.commands.decide(members, workspaceId, addMember({ ...member, role, status }, SEATS));
    await on.stage.shown();
    return memberId;
  }
  const enter = (memberId: string, workspaceId = SHOP) => on.stage.signIn({ role: 'member', workspaceId, memberId });
  const joined = async (role: Role) => enter(await add(role));
  /** Lets the cached access of members expire. */
  const settled = async (): Promise<void> => {
    await on.stage.shown();
    await on.stage.clock.advance(WITHIN_MS);
  };

  for (const role of ROLES)
    it(`has as ${role} the access of the role’s scopes, in each operation of the API`, async () => {
      const browser = await joined(role);
      for (const operation of operations) {
        const { about, method, path } = routeOf(operation);
        if (about !== 'workspace' || operation.id === 'createConsoleLink') continue;
        const place = `/api/v1${path.slice('/api/v1'.length)}`.replace('{workspaceId}', SHOP).replace(/\{\w+\}/g, ANY);
        const { cookie, csrf } = browser;
        const body = method === 'GET' || method === 'DELETE' ? undefined : {};
        const { status, body: answer } = await on.stage.request(method, place, { cookie, 'x-csrf-token': csrf }, body);
        const isRefused = status === 403 && /does not have the scope/.test(answer.detail);
        const isAllowed = operation.scope === null || ROLE_SCOPES[role].includes(operation.scope as never);
        expect([operation.id, isRefused]).to.deep.equal([operation.id, !isAllowed]);
      }
    });

  for (const role of ROLES)
    it(`sees the pages of the role as ${role}`, async () => {
      const browser = await joined(role);
      for (const [path, roles] of Object.entries(PAGES)) {
        const { status } = await on.stage.read(browser, `/api${path}`);
        expect([path, status === 403]).to.deep.equal([path, !roles.includes(role)]);
      }
    });

  it('is recorded as the actor of their changes', async () => {
    const memberId = await add('supervisor');
    const browser = await enter(memberId);
    const before = await on.stage.eventStore.head();
    const path = `/api/v1/workspaces/${SHOP}/members/${await add('agent')}/console-links`;
    expect((await on.stage.change(browser, path)).status).to.equal(201);
    const { events } = await on.stage.eventStore.readAll(before, {
      filter: { categories: ['consoleSession'] },
      limit: 5,
    });
    expect(events.at(-1)!.meta.actor).to.deep.equal({ type: 'member', id: memberId });
  });

  it('sees only their own store', async () => {
    const browser = await joined('owner');
    const { stores } = (await on.stage.read(browser, '/api/stores')).body;
    expect(stores.map(({ workspaceId }: { workspaceId: string }) => workspaceId)).to.deep.equal([SHOP]);
    for (const path of [`/orders/${OTHER_ORDER}/timeline`, `/v1/workspaces/${OTHER}/commerce/orders/${OTHER_ORDER}`])
      expect([path, (await on.stage.read(browser, `/api${path}`)).status]).to.deep.equal([path, 404]);
    const { events } = (await on.stage.read(browser, `/api/events?workspace=${OTHER}`)).body;
    for (const event of events) expect(event.workspaceId).to.equal(SHOP);
  });

  it('becomes active with the link of an invitation', async () => {
    const memberId = await add('agent', 'invited');
    const browser = await enter(memberId);
    const { member } = (await on.stage.read(browser, '/api/session')).body;
    expect(member).to.include({ memberId, role: 'agent', storeStatus: 'active' });
    const { status, joined } = await on.stage.commands.query(members, SHOP, (people) => people.members.get(memberId)!);
    expect([status, joined]).to.deep.equal(['active', true]);
  });

  it('gets no session once disabled, and loses the current one', async () => {
    const memberId = await add('agent');
    const browser = await enter(memberId);
    const { token } = await on.stage.link({ role: 'member', workspaceId: SHOP, memberId });
    await on.stage.commands.decide(members, SHOP, disableMember(memberId));
    await settled();
    const read = await on.stage.read(browser, '/api/session');
    expect([read.status, read.body.code]).to.deep.equal([401, 'console_signed_out']);
    const entered = await on.stage.request('POST', '/api/enter', {}, { link: token });
    expect(entered.body.code).to.equal('member_disabled');
  });

  it('gets a changed role within two seconds on an open screen, and the end of the session', async () => {
    const memberId = await add('agent');
    const browser = await enter(memberId);
    const tab = await ConsoleTab.open<Message>(on.stage, browser, '/session/tail');
    await tab.until(({ length }) => length === 1);
    await on.stage.commands.decide(members, SHOP, changeRole({ memberId, role: 'supervisor' }, SEATS));
    await settled();
    await tab.until(({ length }) => length === 2);
    expect(tab.messages.map(({ session }) => session?.member.role)).to.deep.equal(['agent', 'supervisor']);
    await on.stage.commands.decide(members, SHOP, disableMember(memberId));
    await settled();
    await tab.ended;
    tab.close();
  });

  it('loses an open tail of all events with the role', async () => {
    await add('owner');
    const memberId = await add('owner');
    const browser = await enter(memberId);
    const tab = await ConsoleTab.open<Message>(on.stage, browser, '/tail');
    await on.stage.commands.decide(members, SHOP, changeRole({ memberId, role: 'agent' }, SEATS));
    await settled();
    await tab.ended;
    tab.close();
  });

  it('stays invited if the link of the invitation has expired', async () => {
    const memberId = await add('agent', 'invited');
    const { token } = await on.stage.link({ role: 'member', workspaceId: SHOP, memberId });
    await on.stage.clock.advance(11 * 60_000);
    const entered = await on.stage.request('POST', '/api/enter', {}, { link: token });
    expect(entered.body.code).to.equal('console_link_expired');
    const { status } = await on.stage.commands.query(members, SHOP, (people) => people.members.get(memberId)!);
    expect(status).to.equal('invited');
  });

  it('sees no order of another team, neither its page nor its events', async () => {
    const orderId = derivedId('order', 'of another team');
    const totals = { subtotalCents: 1500, discountCents: 0, deliveryFeeCents: 0, totalCents: 1500 };
    const line = { productExternalId: 'shirt', retailerId: 'shirt', name: 'Shirt', quantity: 1, unitPriceCents: 1500 };
    const data = { number: 7, lines: [line], totals, currency: 'USD', customerPhone: '+252615550101', teamId: ANY };
    const meta = {
      at: new Date(on.stage.clock.now()).toISOString(),
      actor: { type: 'system' as const },
      correlationId: derivedId('correlation', orderId),
      workspaceId: SHOP,
    };
    const { position: placedAt } = await on.stage.eventStore.append(`order-${orderId}`, 'noStream', [
      { id: derivedId('event', orderId), type: 'OrderPlaced', data, meta },
    ]);
    await on.stage.shown();
    const [agent, supervisor] = [await joined('agent'), await joined('supervisor')];
    const path = `/api/orders/${orderId}/timeline`;
    expect((await on.stage.read(agent, path)).status).to.equal(404);
    expect((await on.stage.read(supervisor, path)).status).to.equal(200);
    for (const [browser, seen] of [
      [agent, [`order-${ORDER}`]],
      [supervisor, [`order-${orderId}`, `order-${ORDER}`]],
    ] as const) {
      const tab = await ConsoleTab.open<Message>(on.stage, browser, `/tail?since=${placedAt - 1}`);
      const position = await on.stage.moveOn(SHOP);
      await tab.until((messages) => messages.some(({ events }) => events.some((one) => one.position === position)));
      const events = tab.messages.flatMap((message) => message.events);
      expect(events.map(({ stream }) => stream)).to.include.members(seen);
      expect(events.map(({ stream }) => stream).includes(`order-${orderId}`)).to.equal(browser === supervisor);
      for (const { summary, actor } of events) expect([summary, actor.name]).to.deep.equal(['', '']);
      tab.close();
    }
  });

  describe('creates sign-in links', () => {
    const link = (browser: Browser, memberId: string) =>
      on.stage.change(browser, `/api/v1/workspaces/${SHOP}/members/${memberId}/console-links`, { minutes: 30 });

    for (const maker of ROLES)
      it(`as ${maker} for the roles below`, async () => {
        const own = await add(maker);
        const browser = await enter(own);
        expect((await link(browser, own)).status).to.equal(403);
        for (const other of ROLES) {
          const { status, body } = await link(browser, await add(other));
          const isAllowed =
            maker === 'owner' ||
            (['admin', 'supervisor'].includes(maker) && ROLES.indexOf(maker) < ROLES.indexOf(other));
          expect([other, status]).to.deep.equal([other, isAllowed ? 201 : 403]);
          if (isAllowed) expect(body.url).to.match(/\/console\/enter#/);
        }
      });

    it('that open a session as that member', async () => {
      const memberId = await add('viewer');
      const { body } = await link(await joined('owner'), memberId);
      const entered = await on.stage.request('POST', '/api/enter', {}, { link: body.url.split('#')[1] });
      const cookie = entered.headers['set-cookie']![0]!.split(';')[0]!;
      const session = await on.stage.request('GET', '/api/session', { cookie });
      expect(session.body.member).to.include({ memberId, role: 'viewer' });
    });

    it('but not with a link for all members of the store, which has no member', async () => {
      expect((await link(on.shop, await add('agent'))).body.code).to.equal('permission_denied');
      expect((await link(on.operator, await add('agent'))).status).to.equal(201);
    });

    it('but not for a disabled member, nor for one of another store', async () => {
      const memberId = await add('agent');
      await on.stage.commands.decide(members, SHOP, disableMember(memberId));
      await settled();
      const owner = await joined('owner');
      expect((await link(owner, memberId)).body.code).to.equal('member_disabled');
      expect((await link(owner, await add('agent', 'active', OTHER))).body.code).to.equal('not_found');
    });
  });
});
