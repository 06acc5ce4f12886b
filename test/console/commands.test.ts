/** Commands of `suuq admin` in the console: the same names, permissions, and secrets that are shown once. */
import { expect } from 'chai';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { channelNumbers } from '../../projections/channelNumbers.js';
import { adminCommands } from '../../service/admin/adminCommands.js';
import { type Browser, OTHER, SHOP, signedIn } from '../support/stages/consoleStage.js';

const QUEUE = { strategy: 'all', ringTimeoutSeconds: 30, maxWaitSeconds: 300, secondsPerPerson: 20 };
const TEAM = { name: 'Sales', color: 'chart-1', queue: QUEUE, workingHours: null };

describe('commands in the console', () => {
  const on = signedIn();
  const give = (name: string, typed: object, headers: Record<string, string> = {}, browser: Browser = on.operator) =>
    on.stage.change(browser, `/api/commands/${name}`, typed, headers);
  const request = (browser: Browser, name: string, query = '') =>
    on.stage.read(browser, `/api/commands/${name}${query}`);
  const namesFor = async (browser: Browser): Promise<string[]> =>
    (await on.stage.read(browser, '/api/commands')).body.commands.map(({ name }: { name: string }) => name);

  it('are all commands under `suuq admin`, with the same names', async () => {
    const all = adminCommands.filter(({ words }) => words[0] === 'admin').map(({ name }) => name);
    expect(await namesFor(on.operator)).to.deep.equal(all);
    expect(all).to.include.members(['partners.create', 'plans.put', 'keys.revoke', 'recordings.rename']);
  });

  it('are read-only for an auditor, and limited to their store for store members', async () => {
    const reading = adminCommands.filter(({ words, changes }) => words[0] === 'admin' && !changes);
    expect(await namesFor(on.auditor)).to.deep.equal(reading.map(({ name }) => name));
    const lists = ['members', 'teams', 'conversations', 'recordings', 'keys', 'numbers'].map((area) => `${area}.list`);
    expect(await namesFor(on.shop)).to.have.members(lists);
    const { commands } = (await on.stage.read(on.shop, '/api/commands')).body;
    const fields = commands.flatMap(({ fields: all }: { fields: { name: string }[] }) => all.map(({ name }) => name));
    expect([...new Set(fields)]).to.have.members(['status', 'search', 'page', 'after']);
  });

  it('create a plan, a partner and a key, which is shown once and not stored', async () => {
    const plan = await give('plans.put', { key: 'growth', name: 'Growth', features: ['commerce.products.max=10'] });
    expect([plan.status, plan.body.shown]).to.deep.equal([200, 'Plan growth, version 1: commerce.products.max=10']);
    const made = await give('partners.create', { name: 'Acme', slug: 'acme', plan: 'growth' });
    const listed = await request(on.auditor, 'partners.list');
    expect(listed.body.shown.rows).to.deep.equal([[made.body.result.id, 'acme', 'active', 'growth', 'Acme']]);
    const typed = { workspace: SHOP, mode: 'live', scopes: ['orders:view'] };
    const once = { 'idempotency-key': 'once' };
    const key = await give('keys.create', typed, once);
    expect(key.body.result.key).to.match(/^sk_live_/);
    const again = await give('keys.create', typed, once);
    expect([again.status, again.body.result.id]).to.deep.equal([200, key.body.result.id]);
    expect(again.text).not.to.include(key.body.result.key);
    expect((await give('keys.create', { ...typed, mode: 'test' }, once)).body.code).to.equal('idempotency_key_reused');
    const { rows } = (await request(on.shop, 'keys.list')).body.shown;
    expect(rows.map(([id]: [string]) => id)).to.deep.equal([key.body.result.id]);
    await give('keys.create', { partner: made.body.result.id, mode: 'live', scopes: ['partner.stores:view'] });
    const { keys } = (await request(on.operator, 'keys.list', `?partner=${made.body.result.id}`)).body.result;
    expect(keys.map(({ ownerName }: { ownerName: string }) => ownerName)).to.deep.equal(['Acme']);
    const [event] = (await on.stage.read(on.operator, `/api/events?stream=store-${SHOP}&type=KeyCreated`)).body.events;
    expect(event.actor.name).to.equal(`The operator (console-operator-${on.operator.sessionId.slice(0, 8)})`);
  });

  it('create one store if an append seems to fail and the request is repeated with its key', async () => {
    const owner = { ownerEmail: 'ama@example.com', ownerName: 'Ama' };
    const typed = { name: 'Once', ...owner, country: 'GH', timezone: 'Africa/Accra', plan: 'growth' };
    const admin = on.stage.admin as { commandHandler: CommandHandler };
    const { commandHandler } = admin;
    admin.commandHandler = {
      query: (...given) => commandHandler.query(...given),
      async decide(...given) {
        admin.commandHandler = commandHandler;
        await commandHandler.decide(...given);
        throw new StoreUnavailable('no answer in time');
      },
    };
    const once = { 'idempotency-key': 'once-made' };
    expect((await give('stores.create', typed, once)).status).to.equal(503);
    const made = await give('stores.create', typed, once);
    expect([made.status, made.body.result.created]).to.deep.equal([200, true]);
    const { rows } = (await request(on.operator, 'stores.list')).body.shown;
    expect(rows.filter((row: string[]) => row.includes('Once'))).to.have.length(1);
  });

  it('show after how long customers are erased', async () => {
    const set = await give('retention.set', { workspace: SHOP, days: '400' });
    expect(set.body.result).to.deep.equal({ workspaceId: SHOP, days: 400, changed: true });
    expect(set.body.shown).to.equal(`Store ${SHOP}: customers are stored 400 days.`);
    const listed = await request(on.auditor, 'retention.list');
    expect(listed.body.shown.rows.map((row: string[]) => row.slice(0, 2))).to.deep.equal([[SHOP, '400 days']]);
    for (const typed of [{ days: '29' }, { days: 'default' }, { days: 'soon' }])
      expect((await give('retention.set', typed)).body.code, typed.days).to.equal('validation_failed');
    expect((await give('retention.set', { workspace: 'nowhere', days: '400' })).body.code).to.equal('not_found');
    const cleared = await give('retention.set', { workspace: SHOP, days: 'default' });
    expect(cleared.body.result.changed).to.equal(true);
    expect((await request(on.operator, 'retention.list')).body.shown.rows).to.deep.equal([]);
  });

  describe('list entries page by page,', () => {
    const slugs = Array.from({ length: 7 }, (_, i) => `page-${i}`);
    const slugsIn = (answer: { body: { result: { partners: { slug: string }[] } } }): string[] =>
      answer.body.result.partners.map(({ slug }) => slug);
    before(async () => {
      await give('plans.put', { key: 'paged', name: 'Paged' });
      for (const slug of slugs) await give('partners.create', { name: `Partner ${slug}`, slug, plan: 'paged' });
    });
    async function pages(query: string): Promise<string[][]> {
      const all: string[][] = [];
      for (let after: string | undefined = ''; after !== undefined; ) {
        const answer = await request(on.auditor, 'partners.list', `?${query}${after && `&after=${after}`}`);
        all.push(slugsIn(answer));
        after = answer.body.result.next;
      }
      return all;
    }

    it('without gaps or duplicates', async () => {
      const whole = slugsIn(await request(on.auditor, 'partners.list'));
      const found = await pages('page=3');
      expect(found.flat()).to.deep.equal(whole);
      expect(found.slice(0, -1).every(({ length }) => length === 3)).to.equal(true);
      expect(whole).to.include.members(slugs);
      expect((await pages(`page=${whole.length}`)).length).to.equal(1);
    });

    it('by words that all appear in a row, ignoring case', async () => {
      expect((await pages('page=2&search=PARTNER+page-')).map(({ length }) => length)).to.deep.equal([2, 2, 2, 1]);
      expect(await pages('page=2&search=page-3')).to.deep.equal([['page-3']]);
      expect(await pages('search=nobody')).to.deep.equal([[]]);
      // Search does not match the names of a row's fields.
      expect(await pages('search=planKey')).to.deep.equal([[]]);
    });

    it('by a date or time as written, but not by digits inside one', async () => {
      const growth = async (...words: string[]) =>
        (await request(on.auditor, 'plans.list', `?search=growth+${words.join('+')}`)).body.result.plans;
      const [{ updatedAt }] = await growth();
      expect(await growth(updatedAt.slice(0, 10), updatedAt.slice(11, 16))).to.have.length(1);
      expect(await growth(updatedAt.slice(0, 4))).to.deep.equal([]);
      expect(await growth(updatedAt.slice(20, 23))).to.deep.equal([]);
    });

    it('and reject a cursor that no response contained', async () => {
      const { next } = (await request(on.operator, 'partners.list', '?page=1')).body.result;
      const place = JSON.parse(Buffer.from(next, 'base64url').toString()) as unknown[];
      expect(place).to.have.length.above(1);
      // No row is sorted by a boolean, and engines reject one.
      const truth = Buffer.from(JSON.stringify(place.with(0, true))).toString('base64url');
      const wrong = ['page=0', 'page=1001', 'page=x', 'after=x', 'after=e30', `after=${truth}`];
      for (const query of [...wrong, `search=${'x'.repeat(201)}`])
        expect((await request(on.operator, 'partners.list', `?${query}`)).body.code, query).to.equal(
          'validation_failed',
        );
      expect((await request(on.operator, 'plans.list', `?after=${next}`)).body.code).to.equal('validation_failed');
    });

    it('and find nothing by sealed values', async () => {
      const numbers = (query: string) => request(on.operator, 'numbers.list', query);
      await give('numbers.connect', { workspace: SHOP, accessToken: 'token-of-the-shop' });
      const stored = await on.stage.admin.reads.find(channelNumbers, { where: { workspaceId: SHOP }, limit: 1 });
      const { accessTokenSealed = '' } = stored[0]!.body;
      expect(accessTokenSealed).not.to.equal('');
      const sealed = encodeURIComponent(accessTokenSealed.slice(0, 100));
      expect((await numbers(`?search=${sealed}`)).body.result.numbers).to.deep.equal([]);
      expect((await numbers(`?search=${stored[0]!.body.phoneNumberId}`)).body.result.numbers.length).to.equal(1);
    });
  });

  it('report errors as the command line does, and change nothing', async () => {
    const head = await on.stage.eventStore.head();
    const wrong = async (name: string, typed: object) => {
      const { status, body } = await give(name, typed);
      return [status, body.reason ?? body.code, body.detail];
    };
    const slug = 'name is required; slug is required; plan is required.';
    expect(await wrong('partners.create', {})).to.deep.equal([422, 'validation_failed', slug]);
    const feature = '--feature a=b: the value must be on, off or a whole number (the limit).';
    expect(await wrong('plans.put', { key: 'a', name: 'A', features: ['a=b'] })).to.deep.equal([
      422,
      'validation_failed',
      feature,
    ]);
    expect((await wrong('partners.create', { name: 'N', slug: 's', plan: 'none' }))[1]).to.equal('plan_not_found');
    expect((await wrong('plans.put', { key: 1, name: ['A'] }))[1]).to.equal('validation_failed');
    expect((await wrong('plans.put', { key: 'a', name: 'A', colour: 'red' }))[2]).to.equal('colour is not known.');
    expect((await wrong('teams.put', { workspace: SHOP, team: '{' }))[2]).to.equal('team must be JSON.');
    expect((await wrong('no.such', {}))[1]).to.equal('not_found');
    // The console reads no files from the server's disk.
    const ofMachine = { workspace: SHOP, name: 'W', kind: 'greeting', file: '/etc/passwd' };
    expect((await wrong('recordings.put', ofMachine))[2]).to.equal('file must be sent as a file.');
    for (const name of ['recordings.save', 'secrets.rotate'])
      expect((await wrong(name, { workspace: SHOP, id: 'x', file: '/etc/passwd' }))[1], name).to.equal('not_found');
    expect((await wrong('teams.put', { workspace: SHOP, team: '/etc/passwd' }))[2]).to.equal('team must be JSON.');
    expect(await on.stage.eventStore.head()).to.equal(head);
  });

  it('accept a team as JSON', async () => {
    const owner = { workspace: SHOP, email: 'asha@example.com', role: 'owner', status: 'active' };
    const { id: memberId } = (await give('members.add', owner)).body.result;
    const team = JSON.stringify({ ...TEAM, members: [{ memberId }] });
    const answer = await give('teams.put', { workspace: SHOP, team });
    expect([answer.status, answer.body.errors]).to.deep.equal([200, undefined]);
    expect((await request(on.shop, 'teams.list')).body.result.teams.length).to.equal(1);
    expect((await request(on.operator, 'teams.list', `?workspace=${OTHER}`)).body.result.teams).to.deep.equal([]);
  });

  it('are rejected for other roles, without the token, and from other sites', async () => {
    const head = await on.stage.eventStore.head();
    const typed = { workspace: SHOP, mode: 'live', scopes: ['orders:view'] };
    for (const [browser, headers, code] of [
      [on.auditor, {}, 'permission_denied'],
      [on.shop, {}, 'permission_denied'],
      [on.operator, { 'x-csrf-token': 'x' }, 'csrf_token_missing'],
      [on.operator, { origin: 'https://other.example' }, 'foreign_request'],
    ] as const)
      expect((await give('keys.create', typed, headers, browser)).body.code).to.equal(code);
    expect((await request(on.operator, 'keys.create', `?workspace=${SHOP}&mode=live`)).body.code).to.equal('not_found');
    expect((await give('partners.list', {})).body.code).to.equal('not_found');
    expect(await on.stage.eventStore.head()).to.equal(head);
  });

  describe('show store members nothing of another store', () => {
    before(async () => {
      await give('keys.create', { workspace: OTHER, mode: 'live', scopes: ['orders:view'] });
      await give('numbers.connect', { workspace: OTHER });
      await give('numbers.connect', { workspace: SHOP });
    });
    for (const area of ['members', 'teams', 'conversations', 'recordings', 'keys', 'numbers'])
      it(`by ${area}.list, whatever they request`, async () => {
        expect((await request(on.shop, `${area}.list`)).text).not.to.include(OTHER);
        for (const query of [`?workspace=${OTHER}`, '?partner=x', '?name=x'])
          expect((await request(on.shop, `${area}.list`, query)).body.code, query).to.equal('validation_failed');
      });
    it('nor data about partners, plans and all stores', async () => {
      for (const name of ['partners.list', 'plans.list', 'stores.list', 'files.usage'])
        expect((await request(on.shop, name)).body.code, name).to.equal('not_found');
    });
  });

  it('show the secret for connecting a number once', async () => {
    const once = { 'idempotency-key': 'number' };
    const first = await give('numbers.connect', { workspace: SHOP }, once);
    expect(first.text).to.include('app-once');
    expect((await give('numbers.connect', { workspace: SHOP }, once)).text).not.to.match(/app-once|verify-once/);
    expect((await request(on.operator, 'numbers.list')).body.result.numbers.length).to.equal(1);
  });

  it("record an auditor's requests", async () => {
    await request(on.auditor, 'keys.list', `?workspace=${SHOP}`);
    const reads = await on.stage.eventStore.readStream(`consoleReads-${on.auditor.sessionId}`);
    expect(reads.at(-1)!.data).to.include({
      operation: 'console.askCommand',
      path: `/console/api/commands/keys.list?workspace=${SHOP}`,
    });
  });
});
