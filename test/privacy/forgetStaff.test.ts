/** Staff of a store: sealed, found by their identity there, and forgotten. */
import { expect } from 'chai';
import type { PersonEntry } from '../../application/privacy/personData.js';
import { isUnsealed, staffOf, staffSubjects } from '../../application/privacy/staff.js';
import { staffEntries } from '../../application/privacy/staffData.js';
import { addMember, disableMember } from '../../domain/access/memberChanges.js';
import { linkByEmail, seeMember } from '../../domain/access/memberJoining.js';
import { members } from '../../domain/access/members.js';
import { openSession, session } from '../../domain/access/session.js';
import { dataExports, exportMember } from '../../domain/privacy/dataExports.js';
import { members as memberViews } from '../../projections/members.js';
import { sessions } from '../../projections/sessions.js';
import { stores } from '../../projections/stores.js';
import { commandsOf } from '../../service/composition/privacy/erasureWatch.js';
import { until } from '../support/doubles/fakeClock.js';
import { type ForgettingStage, forgettingStage } from '../support/privacy/forgettingStage.js';

const [SHOP, OTHER] = ['00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000a2'];
const [HODAN, GEEDI] = ['00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-0000000000b2'];
const [USER, HIS] = ['00000000-0000-4000-8000-0000000000c1', '00000000-0000-4000-8000-0000000000c2'];
const SESSION = '00000000-0000-4000-8000-0000000000d1';
const EMAIL = 'hodan@shops.example';
const SUB = 'user-of-the-shop-7';
/** Email of the store's owner in the stage. */
const OWNER = 'owner@shops.example';
const SEATS = { most: undefined };

describe('store members', () => {
  let stage: ForgettingStage;
  const about = (workspaceId = SHOP) => commandsOf(stage.stage.commands)({ workspaceId });
  const parts = () => ({ reads: stage.stage.reads, commands: about() });
  const shown = () => stage.stage.shown();
  const raw = async (stream: string) => JSON.stringify(await stage.raw.readStream(stream));

  async function add(workspaceId: string, memberId: string, userId: string, email: string, name: string) {
    const member = { memberId, userId, email, name, role: 'agent', status: 'active' } as const;
    await about(workspaceId).decide(members, workspaceId, addMember(member, SEATS));
  }
  async function signIn(workspaceId: string, memberId: string, userId: string) {
    await about().decide(
      session,
      SESSION,
      openSession({
        ...{ mode: 'live', userId, workspaceId, name: 'Hodan Cali', stores: [{ workspaceId, memberId }] },
        ...{ publishableKey: { keyId: 'p', hash: 'h' }, signingKey: { keyId: 's', hash: 'g' } },
        ...{ refreshUntil: '2099-01-01T00:00:00.000Z', tokenHash: 't', expiresAt: '2099-01-01T00:00:00.000Z' },
      }),
    );
  }
  async function forget(...requested: readonly [workspaceId: string, by: Parameters<typeof staffOf>[2]][]) {
    const all = await Promise.all(requested.map(([workspaceId, by]) => staffOf(parts(), workspaceId, by)));
    const { commands, projections } = stage.stage;
    const subjects = await staffSubjects(
      stage.people,
      parts(),
      all.filter((one) => one !== undefined),
    );
    if (subjects.length > 0) await stage.forgetting.forgetStaff(subjects, commandsOf(commands));
    await until('read models are rebuilt', async () => {
      const all = await projections.status();
      return all.every(({ state }) => state !== 'rebuilding');
    });
    return subjects;
  }
  const member = async (workspaceId: string, memberId: string) =>
    (await stage.stage.reads.get(memberViews, `${workspaceId}/${memberId}`))!.body;

  beforeEach(async () => {
    stage = await forgettingStage();
    await stage.store(SHOP);
    await add(SHOP, HODAN, USER, EMAIL, 'Hodan Cali');
    await add(SHOP, GEEDI, HIS, 'geedi@shops.example', 'Geedi Nuur');
    const text = { memberId: HODAN, userId: USER, sub: SUB, email: EMAIL, emailVerified: true };
    await about().decide(members, SHOP, linkByEmail(text, SEATS));
    await about().decide(members, SHOP, seeMember(HODAN, '2025-03-01'));
    await signIn(SHOP, HODAN, USER);
    await shown();
  });
  afterEach(() => stage.close());

  it('are encrypted in the log, and readable as before', async () => {
    for (const stream of [`members-${SHOP}`, `store-${SHOP}`, `session-${SESSION}`])
      expect(await raw(stream))
        .to.include('~sealed')
        .and.not.to.match(/odan|eedi|shops\.example|user-of-the|0000000000c[12]/);
    expect(await member(SHOP, HODAN)).to.deep.include({ email: EMAIL, name: 'Hodan Cali', userId: USER });
    expect((await stage.stage.reads.get(stores, SHOP))!.body.owner).to.deep.equal({ email: OWNER, name: 'Owner' });
    expect((await stage.stage.reads.get(sessions, SESSION))!.body).to.deep.include({
      userId: USER,
      name: 'Hodan Cali',
    });
  });

  it('have no data left once erased, in running read models and after a rebuild; others stay', async () => {
    await about().decide(members, SHOP, disableMember(HODAN));
    const [subject] = await forget([SHOP, { memberId: HODAN }]);
    expect(subject!.persons, 'the member, and who signs in').to.have.length(2);
    const now = await member(SHOP, HODAN);
    expect(now).to.deep.include({ id: HODAN, email: 'erased@erased.invalid', name: '', status: 'disabled' });
    expect(now.userId).not.to.equal(USER);
    expect((await stage.stage.reads.get(sessions, SESSION))!.body).to.deep.include({ name: '' });
    expect(await member(SHOP, GEEDI)).to.deep.include({
      email: 'geedi@shops.example',
      name: 'Geedi Nuur',
      userId: HIS,
    });
    const people = await about().query(members, SHOP, (state) => state);
    expect(people.members.get(HODAN)).to.deep.include({ email: 'erased@erased.invalid', name: '' });
    expect(JSON.stringify(await stage.stage.eventStore.readStream(`members-${SHOP}`))).not.to.match(/odan|user-of-the/);
    expect((await stage.forgotten()).map(({ type }) => type)).to.deep.equal(['PersonForgotten', 'PersonForgotten']);
    expect(await forget([SHOP, { memberId: HODAN }]), 'twice').to.deep.equal([]);
    expect(await forget([SHOP, { email: EMAIL }])).to.deep.equal([]);
  });

  it('may return as new members', async () => {
    await about().decide(members, SHOP, disableMember(HODAN));
    await forget([SHOP, { memberId: HODAN }]);
    const text = { userId: USER, sub: SUB, email: EMAIL, emailVerified: true, name: 'Hodan again' };
    const memberId = '00000000-0000-4000-8000-0000000000b3';
    await about().decide(members, SHOP, linkByEmail({ ...text, memberId }, SEATS));
    await shown();
    expect(await member(SHOP, memberId)).to.deep.include({ email: EMAIL, name: 'Hodan again', status: 'active' });
    expect(await member(SHOP, HODAN)).to.deep.include({ name: '', status: 'disabled' });
  });

  it('stay the same user while another store has them', async () => {
    await stage.store(OTHER);
    await add(OTHER, GEEDI, USER, EMAIL, 'Hodan Cali');
    await shown();
    const [subject] = await forget([SHOP, { memberId: HODAN }]);
    expect(subject!.persons).to.have.length(1);
    expect((await stage.stage.reads.get(sessions, SESSION))!.body).to.deep.include({
      userId: USER,
      name: 'Hodan Cali',
    });
    expect(await member(OTHER, GEEDI)).to.deep.include({ email: EMAIL, userId: USER });
    expect((await forget([OTHER, { email: EMAIL }]))[0]!.persons).to.have.length(2);
    expect((await stage.stage.reads.get(sessions, SESSION))!.body).to.deep.include({ name: '' });
  });

  it('can be erased as the owner too, by the e-mail that created the store', async () => {
    await forget([SHOP, { email: OWNER.toUpperCase() }]);
    const { owner } = (await stage.stage.reads.get(stores, SHOP))!.body;
    expect(owner).to.deep.equal({ email: 'erased@erased.invalid', name: '' });
    expect(await member(SHOP, HODAN)).to.deep.include({ email: EMAIL });
  });

  it('are removed from stored responses that contain them', async () => {
    const { work } = stage.stage;
    const stored = (body: object) => ({ answer: { status: 200, body: JSON.stringify(body) } });
    const answers = {
      hers: { id: HODAN },
      sub: { partnerUserId: SUB },
      his: { id: GEEDI },
      number: { note: `${SUB}7` },
    };
    for (const [id, body] of Object.entries(answers))
      await work.insert('idempotencyKeys', {
        id,
        keys: { state: 'done', expiresAt: 1e15 },
        revision: 1,
        body: stored(body),
      });
    await forget([SHOP, { memberId: HODAN }]);
    const left = await work.find<{ answer: { body?: string } }>('idempotencyKeys', { limit: 10 });
    const withBody = left.filter(({ body }) => body.answer.body !== undefined).map(({ id }) => id);
    expect(withBody.sort()).to.deep.equal(['his', 'number']);
  });

  it('in an older log are in plain text, which is reported', async () => {
    const [added] = await stage.raw.readStream(`members-${SHOP}`);
    const data = {
      memberId: 'm-9',
      userId: USER,
      email: 'old@shops.example',
      name: 'Old',
      role: 'agent',
      status: 'active',
    };
    await stage.raw.append(`members-${SHOP}`, 'any', [{ id: HIS, type: 'MemberAdded', data, meta: added!.meta }]);
    const ofHer = (await staffOf(parts(), SHOP, { memberId: HODAN }))!;
    expect(await isUnsealed(stage.people, ofHer)).to.equal(false);
    expect(await isUnsealed(stage.people, { workspaceId: SHOP, member: { ...ofHer.member!, id: 'm-9' } })).to.equal(
      true,
    );
  });

  it('get an export of their data, without what opens a session', async () => {
    await about().decide(dataExports, SHOP, exportMember(HODAN));
    const staff = (await staffOf(parts(), SHOP, { memberId: HODAN }))!;
    const { reads, eventStore: log } = stage.stage;
    const entries: PersonEntry[] = [];
    for await (const entry of staffEntries({ reads, log }, staff)) entries.push(entry);
    expect(entries.map(({ kind, of }) => `${kind} ${(of as { type?: string }).type ?? ''}`.trim())).to.deep.equal([
      'member',
      'session',
      'event MemberAdded',
      'event MemberLinked',
      'event MemberSeen',
      'event MemberDataExported',
    ]);
    expect(entries[0]!.of).to.deep.include({ email: EMAIL, name: 'Hodan Cali', subjects: [SUB] });
    expect(JSON.stringify(entries)).not.to.match(/tokens|Hash|eedi/);
  });

  it('are reported if unknown', async () => {
    expect(await staffOf(parts(), SHOP, { memberId: 'nobody' })).to.equal(undefined);
    expect(await staffOf(parts(), OTHER, { email: EMAIL })).to.equal(undefined);
  });
});
