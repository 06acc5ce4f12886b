/** Members and teams over HTTP: lists, changes by the partner, and changes by the operator. */
import { expect } from 'chai';
import { operations } from '../../api/operations/index.js';
import { type Body, isProblem, locations } from '../support/conformance/answers.js';
import {
  type ConformanceStage,
  conformanceStage,
  operationNamed,
  type Partner,
  type Store,
} from '../support/conformance/stage.js';

const QUEUE = { strategy: 'all', ringTimeoutSeconds: 30, maxWaitSeconds: 300, secondsPerPerson: 20 };
const UNKNOWN = '00000000-0000-4000-8000-00000000dead';

describe('members and teams over HTTP', () => {
  let stage: ConformanceStage;
  let count = 0;
  before(async () => {
    stage = await conformanceStage();
  });
  after(() => stage.close());

  const call = (id: string, requested: object, store: Store, key?: string) =>
    stage.call(operationNamed(operations, id), { ...requested, ...(key === undefined ? {} : { key }) }, store);
  /** Adds a store for one test, so that tests do not affect each other. */
  const newStore = (partner: Partner = stage.main): Promise<Store> => stage.addStore(partner, `people-${++count}`);
  const add = (store: Store, name: string, role: string, more: object = {}): Promise<Body> =>
    stage.operator('members.add', { workspace: store.workspaceId, email: `${name}@example.com`, name, role, ...more });
  const put = (store: Store, partnerUserId: string, body: object, key?: string) =>
    call('updatePartnerStoreMember', { params: { externalRef: store.externalRef, partnerUserId }, body }, store, key);
  const remove = (store: Store, partnerUserId: string) =>
    call('disablePartnerStoreMember', { params: { externalRef: store.externalRef, partnerUserId } }, store);
  const putTeam = (store: Store, name: string, memberIds: string[], more: object = {}): Promise<Body> => {
    const members = memberIds.map((memberId) => ({ memberId }));
    const team = { name, color: 'chart-2', members, queue: QUEUE, workingHours: null, ...more };
    return stage.operator('teams.put', { workspace: store.workspaceId, team });
  };
  const refusal = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'not refused',
      (error) => error.code,
    );

  it('list the members, oldest first, with their teams', async () => {
    const store = await newStore();
    expect((await call('listMembers', {}, store)).body).to.deep.equal({ members: [] });
    const zahra = await add(store, 'zahra', 'owner', { status: 'active' });
    const abdi = await add(store, 'abdi', 'agent');
    const door = await putTeam(store, 'Door', [zahra.id, abdi.id]);
    const { members } = (await call('listMembers', {}, store)).body;
    expect(members.map((one: Body) => [one.id, one.email, one.role, one.status, one.teams])).to.deep.equal([
      [zahra.id, 'zahra@example.com', 'owner', 'active', [{ id: door.id, role: 'member' }]],
      [abdi.id, 'abdi@example.com', 'agent', 'invited', [{ id: door.id, role: 'member' }]],
    ]);
    expect(members[0]).to.have.property('joinedAt');
    expect(members[1]).to.not.have.any.keys('joinedAt', 'lastActiveAt');
  });

  it('list the teams by name, and show one', async () => {
    const store = await newStore();
    const { id } = await add(store, 'zahra', 'owner');
    const hours = [{ day: 'sat', opens: '08:00', closes: '24:00' }];
    await putTeam(store, 'till', [id], { workingHours: hours });
    const door = await putTeam(store, 'Door', [id], { members: [{ memberId: id, lead: true }] });
    const { teams } = (await call('listTeams', {}, store)).body;
    expect(teams.map((one: Body) => [one.name, one.isDefault, one.workingHours])).to.deep.equal([
      ['Door', false, null],
      ['till', true, hours],
    ]);
    const shown = await call('getTeam', { params: { teamId: door.id.toUpperCase() } }, store);
    expect(shown.body).to.deep.equal(teams[0]);
    expect(shown.body).to.deep.include({ color: 'chart-2', members: [{ memberId: id, lead: true }], queue: QUEUE });
    isProblem(await call('getTeam', { params: { teamId: door.id } }, stage.sibling), 404, 'not_found');
    isProblem(await call('getTeam', { params: { teamId: 'door' } }, store), 422, 'validation_failed');
    await stage.operator('teams.remove', { workspace: store.workspaceId, id: door.id });
    isProblem(await call('getTeam', { params: { teamId: door.id } }, store), 404, 'not_found');
  });

  it('let the partner set role and teams of a user who has signed in', async () => {
    const store = await newStore();
    const owner = await add(store, 'zahra', 'owner', { status: 'active' });
    const user = 'auth0|a/b ü';
    const abdi = await add(store, 'abdi', 'agent', { partnerUser: user });
    const door = await putTeam(store, 'Door', [owner.id]);
    const till = await putTeam(store, 'Till', [owner.id, abdi.id]);
    const { workspaceId, externalRef } = store;
    const same = { partnerUserId: user, workspaceId, externalRef, memberId: abdi.id, status: 'active' };
    const retained = await put(store, user, { role: 'supervisor' });
    expect(retained.body).to.deep.equal({ ...same, role: 'supervisor', teamIds: [till.id] });
    const moved = await put(store, user, { role: 'viewer', teams: [door.id.toUpperCase(), door.id] });
    expect(moved.body).to.deep.equal({ ...same, role: 'viewer', teamIds: [door.id] });
    const shown = await call('getTeam', { params: { teamId: door.id } }, store);
    expect(shown.body.members).to.deep.equal([{ memberId: owner.id }, { memberId: abdi.id }]);
    const unknown = await put(store, user, { role: 'agent', teams: [door.id, UNKNOWN] });
    isProblem(unknown, 422, 'validation_failed');
    expect(locations(unknown)).to.deep.equal(['body.teams[1]']);
    expect((await put(store, user, { role: 'viewer' })).body.teamIds, 'nothing of it').to.deep.equal([door.id]);
    isProblem(await put(store, 'abdi@example.com', { role: 'agent' }), 404, 'not_found');
  });

  it('show a partner only its own stores', async () => {
    const store = await newStore(stage.rival);
    await add(store, 'zahra', 'agent', { partnerUser: 'u-1' });
    isProblem(await put(store, 'u-1', { role: 'viewer' }, stage.main.key), 404, 'not_found');
    const params = { externalRef: store.externalRef, partnerUserId: 'u-1' };
    isProblem(await call('disablePartnerStoreMember', { params }, store, stage.main.key), 404, 'not_found');
    expect((await put(store, 'u-1', { role: 'viewer' }, stage.rival.key)).status).to.equal(200);
  });

  it('require an owner, and apply disabling at once', async () => {
    const store = await newStore();
    await add(store, 'zahra', 'owner', { partnerUser: 'u-1' });
    await add(store, 'abdi', 'agent', { partnerUser: 'u-2' });
    isProblem(await put(store, 'u-1', { role: 'admin' }), 409, 'last_owner');
    isProblem(await remove(store, 'u-1'), 409, 'last_owner');
    await put(store, 'u-2', { role: 'owner' });
    for (const _ of [1, 2]) expect((await remove(store, 'u-1')).status).to.equal(204);
    expect((await put(store, 'u-1', { role: 'admin' })).body).to.include({ role: 'admin', status: 'disabled' });
    isProblem(await remove(store, 'u-3'), 404, 'not_found');
  });

  it('always leave one owner when twenty are removed at once', async () => {
    const store = await newStore();
    const users = Array.from({ length: 20 }, (_, n) => `o-${n}`);
    for (const user of users) await add(store, user, 'owner', { partnerUser: user });
    const answers = await Promise.all(users.map((user) => remove(store, user)));
    expect(answers.filter(({ status }) => status === 204)).to.have.length(19);
    expect(answers.filter(({ body }) => body?.code === 'last_owner')).to.have.length(1);
  });

  it('enforce the seats of the plan', async () => {
    const features = ['workspace.core', 'commerce.orders', 'commerce.catalog', 'channel.number'].map((key) => ({
      key,
    }));
    const plan = (limit: object) =>
      stage.operator('plans.put', {
        key: 'seated',
        name: 'Plan seated',
        features: [...features, { key: 'workspace.seats.max', ...limit }],
      });
    const partner = await stage.addPartner('seated');
    await plan({ limit: 2 });
    const { store } = partner;
    await add(store, 'zahra', 'owner', { partnerUser: 'u-1' });
    await add(store, 'abdi', 'viewer', { partnerUser: 'u-2' });
    const { id } = await add(store, 'cawo', 'agent');
    expect(await refusal(add(store, 'deeqa', 'agent'))).to.equal('no_free_seat');
    isProblem(await put(store, 'u-2', { role: 'agent' }, partner.key), 409, 'no_free_seat');
    await stage.operator('members.disable', { workspace: store.workspaceId, id });
    expect((await put(store, 'u-2', { role: 'agent' }, partner.key)).status).to.equal(200);
    const enable = () => stage.operator('members.enable', { workspace: store.workspaceId, id });
    expect(await refusal(enable())).to.equal('no_free_seat');
    await plan({ limit: 3 });
    expect(await enable()).to.include({ status: 'invited', role: 'agent' });
  });

  it('allow in a closed store only to disable members', async () => {
    const store = await newStore();
    await add(store, 'zahra', 'agent', { partnerUser: 'u-1' });
    await call('closePartnerStore', { params: { externalRef: store.externalRef } }, store);
    isProblem(await put(store, 'u-1', { role: 'viewer' }), 403, 'store_closed');
    expect((await remove(store, 'u-1')).status).to.equal(204);
    expect((await call('listMembers', {}, store)).body.members[0].status).to.equal('disabled');
  });

  it('are not shown to other stores', async () => {
    const store = await newStore();
    const { id } = await add(store, 'hidden', 'agent');
    await putTeam(store, 'Hidden', [id]);
    for (const list of ['listMembers', 'listTeams'])
      expect((await call(list, {}, stage.sibling)).text, list).to.not.match(/hidden/i);
  });

  it('report errors to the operator', async () => {
    const store = await newStore();
    const { id } = await add(store, 'zahra', 'owner', { status: 'active' });
    const workspace = store.workspaceId;
    expect(await refusal(add({ ...store, workspaceId: UNKNOWN }, 'zahra', 'agent'))).to.equal('not_found');
    expect(await refusal(add(store, 'ZAHRA', 'agent'))).to.equal('member_exists');
    expect(await refusal(add(store, 'b', 'boss'))).to.equal('validation_failed');
    expect(await refusal(add(store, 'b', 'agent', { partnerUser: 'u', status: 'active' }))).to.equal(
      'validation_failed',
    );
    expect(await refusal(stage.operator('members.role', { workspace, id, role: 'agent' }))).to.equal('last_owner');
    expect(await refusal(stage.operator('members.disable', { workspace, id: UNKNOWN }))).to.equal('not_found');
    expect(await refusal(putTeam(store, 'Door', [UNKNOWN]))).to.equal('validation_failed');
    expect(await refusal(putTeam({ ...store, workspaceId: UNKNOWN }, 'Door', [id]))).to.equal('not_found');
    expect(await refusal(stage.operator('teams.put', { workspace }))).to.equal('validation_failed');
    expect(await refusal(stage.operator('teams.remove', { workspace, id: UNKNOWN }))).to.equal('not_found');
    const alone = await stage.operator('stores.create', {
      name: 'Alone',
      ownerEmail: 'a@example.com',
      ownerName: 'A',
      country: 'SO',
      timezone: 'UTC',
      plan: 'main',
    });
    const lonely = { ...store, workspaceId: alone.workspaceId };
    expect(await refusal(add(lonely, 'b', 'agent', { partnerUser: 'u-1' }))).to.equal('validation_failed');
  });
});
