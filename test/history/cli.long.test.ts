/** Histories read by an operator at the command line. */
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { commandLine } from '../support/stages/commandLine.js';
import { foundInstallation } from '../support/stages/installation.js';

describe('histories on the command line', function () {
  this.timeout(180_000);
  const folder = temporaryFolder('suuq-history-');
  const data = join(folder.path, 'data');
  const { suuq, json } = commandLine(data);
  let workspaceId: string;
  let keyId: string;
  let memberId: string;
  before(async () => {
    await foundInstallation(data);
    json('admin', 'plans', 'put', '--key', 'p', '--name', 'P', '--feature', 'commerce.catalog');
    const { id } = json('admin', 'partners', 'create', '--name', 'Acme', '--slug', 'acme', '--plan', 'p');
    const words = ['--name', 'Shop', '--owner-email', 'a@example.com', '--owner-name', 'Asha', '--country', 'SO'];
    ({ workspaceId } = json(
      'admin',
      'stores',
      'create',
      '--partner',
      id,
      '--external-ref',
      's',
      '--timezone',
      'Africa/Mogadishu',
      ...words,
    ));
    ({ id: keyId } = json(
      'admin',
      'keys',
      'create',
      '--workspace',
      workspaceId,
      '--mode',
      'live',
      '--scope',
      'orders:view',
    ));
    ({ id: memberId } = json(
      'admin',
      'members',
      'add',
      '--workspace',
      workspaceId,
      '--email',
      'b@example.com',
      '--name',
      'Bile',
      '--role',
      'agent',
    ));
    json('admin', 'members', 'role', '--workspace', workspaceId, '--id', memberId, '--role', 'viewer');
  });
  after(() => folder.remove());

  it("show the operator's account", () => {
    const { username } = userInfo();
    const account = username === 'root' ? (process.env.SUDO_USER ?? username) : username;
    const { events, state } = json('history', 'store', workspaceId);
    expect(state).to.include({ workspaceId, name: 'Shop' });
    expect(events.map((one: { type: string }) => one.type)).to.include.members([
      'StoreCreated',
      'KeyCreated',
      'MemberAdded',
    ]);
    for (const { actor } of events) expect(actor.name).to.equal(`The operator (${account})`);
    const same = json('history', 'store', workspaceId, '--actor', `operator:${account}`);
    expect(same.events).to.deep.equal(events);
    expect(suuq('history', 'store', workspaceId).stdout).to.include(`The operator (${account})`);
  });

  it('show a member and a key by their ids alone, with their changes', () => {
    const { state, events } = json('history', 'member', memberId);
    expect(state).to.include({ name: 'Bile', role: 'viewer' });
    expect(events.map((one: { type: string }) => one.type)).to.deep.equal(['MemberAdded', 'MemberRoleChanged']);
    const [added, changed] = events as { at: string }[];
    const diff = json('history', 'member', memberId, '--diff', added!.at, changed!.at);
    expect(diff.changes).to.deep.equal([{ path: 'role', was: 'agent', is: 'viewer' }]);
    expect(suuq('history', 'member', memberId, '--diff', added!.at, changed!.at).stdout).to.match(
      /role +agent +viewer/,
    );
    expect(json('history', 'member', memberId, '--at', added!.at).state).to.include({ role: 'agent' });
    expect(json('history', 'key', keyId).events[0].data).to.include({ hash: '[not shown]' });
  });

  it('find a request, and continue after the end of a page', () => {
    const first = json('history', 'store', workspaceId, '--limit', '1');
    expect(first.events).to.have.lengthOf(1);
    const rest = json('history', 'store', workspaceId, '--after', first.next);
    const all = json('history', 'store', workspaceId);
    expect([...first.events, ...rest.events]).to.deep.equal(all.events);
    const { correlationId } = all.events[0];
    const { events } = json('history', 'request', correlationId);
    expect(events.map((one: { correlationId: string }) => one.correlationId)).to.include(correlationId);
    expect(events.length).to.be.at.least(1);
  });

  const refusals: readonly [words: string, code: string][] = [
    ['order none', 'not_found'],
    ['member none', 'not_found'],
    ['product WORKSPACE none', 'not_found'],
    ['store WORKSPACE --at 2001-01-01T00:00:00Z', 'before_first_event'],
    ['store WORKSPACE --from 2026-01-02T00:00:00Z --to 2026-01-01T00:00:00Z', 'range_reversed'],
    ['store WORKSPACE --diff 2026-01-02T00:00:00Z 2026-01-01T00:00:00Z', 'range_reversed'],
    ['store WORKSPACE --diff 2001-01-01T00:00:00Z 2026-01-01T00:00:00Z', 'before_first_event'],
    ['store WORKSPACE --after x', 'invalid_cursor'],
    ['store WORKSPACE --type StoreCreatd', 'unknown_event_type'],
    ['store WORKSPACE --limit 0', 'validation_failed'],
    ['store WORKSPACE --diff 2026-01-01T00:00:00Z', 'wrong_use'],
  ];
  for (const [words, code] of refusals)
    it(`reject with a code: suuq history ${words}`, () => {
      const ran = suuq('history', ...words.replace('WORKSPACE', workspaceId).split(' '), '--json');
      expect(JSON.parse(ran.stderr).error.code).to.equal(code);
      expect(ran.status).to.equal(code === 'wrong_use' ? 2 : 1);
    });
});
