import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { EMBEDDED, suuqCommand, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { foundInstallation } from '../support/stages/installation.js';

describe('command line, members and teams', () => {
  const folder = temporaryFolder('suuq-people-');
  after(() => folder.remove());
  const suuq = (args: readonly string[], input = '') =>
    spawnSync(process.execPath, [suuqCommand, ...args], {
      env: { ...process.env, ...EMBEDDED, SUUQ_DATA: join(folder.path, 'data') },
      encoding: 'utf8',
      timeout: 30_000,
      input,
    });
  const json = (args: readonly string[], input?: string) => {
    const ran = suuq([...args, '--json'], input);
    expect(ran.status, ran.stderr).to.equal(0);
    return JSON.parse(ran.stdout);
  };
  const options = (values: Record<string, string>): string[] =>
    Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);

  let workspace: string;
  const member = (word: string, values: Record<string, string>) =>
    json(['admin', 'members', word, ...options({ workspace, ...values })]);
  const team = (word: string, values: Record<string, string> = {}, input?: string) =>
    json(['admin', 'teams', word, ...options({ workspace, ...values })], input);

  before(async () => {
    await foundInstallation(join(folder.path, 'data'));
    json(['admin', 'plans', 'put', ...options({ key: 'p', name: 'P', feature: 'workspace.seats.max=2' })]);
    const owner = { 'owner-email': 'a@example.com', 'owner-name': 'A' };
    const store = { name: 'Shop', ...owner, country: 'SO', timezone: 'UTC', plan: 'p' };
    workspace = json(['admin', 'stores', 'create', ...options(store)]).workspaceId;
  });

  it('adds, lists and changes people', () => {
    const zahra = member('add', { email: 'z@example.com', name: 'Zahra', role: 'owner', status: 'active' });
    const abdi = member('add', { email: 'a@example.com', role: 'agent' });
    expect(abdi).to.deep.equal({ workspaceId: workspace, id: abdi.id, role: 'agent', status: 'invited' });
    expect(member('disable', { id: abdi.id })).to.include({ status: 'disabled' });
    expect(member('enable', { id: abdi.id })).to.include({ status: 'invited' });
    expect(member('role', { id: abdi.id, role: 'viewer' })).to.include({ role: 'viewer' });
    const { members } = member('list', {});
    expect(members.map(({ id }: { id: string }) => id)).to.deep.equal([zahra.id, abdi.id]);
    const { stdout } = suuq(['admin', 'members', 'list', '--workspace', workspace]);
    expect(stdout).to.match(new RegExp(`${zahra.id} +active +owner +0 +z@example.com +Zahra`));
    const last = suuq(['admin', 'members', 'disable', ...options({ workspace, id: zahra.id })]);
    expect([last.status, last.stderr.split(':')[0]]).to.deep.equal([1, 'last_owner']);
  });

  it('puts a team from a file or from stdin, lists and removes it', () => {
    const { members } = member('list', {});
    const queue = { strategy: 'all', ringTimeoutSeconds: 30, maxWaitSeconds: 60, secondsPerPerson: 5 };
    const ring = [{ memberId: members[0].id, lead: true }];
    const door = { name: 'Door', color: 'chart-1', members: ring, queue, workingHours: null };
    const file = join(folder.path, 'team.json');
    writeFileSync(file, JSON.stringify(door));
    const made = team('put', { file });
    expect(made).to.deep.equal({ workspaceId: workspace, id: made.id, name: 'Door', changed: true });
    expect(team('put', {}, JSON.stringify(door))).to.deep.equal({ ...made, changed: false });
    const [listed] = team('list').teams;
    expect(listed).to.deep.include({ ...door, id: made.id, isDefault: true });
    expect(team('put', { file: '-' }, JSON.stringify({ ...listed, color: 'chart-3' }))).to.include({ changed: true });
    expect(suuq(['admin', 'teams', 'list', '--workspace', workspace]).stdout).to.match(/yes +1 +all +always +Door/);
    expect(team('remove', { id: made.id })).to.include({ removed: true });
    expect(team('list')).to.deep.equal({ teams: [] });
  });

  it('reports errors in the file', () => {
    const put = (file: string, input = '') => suuq(['admin', 'teams', 'put', ...options({ workspace, file })], input);
    const none = put(join(folder.path, 'none.json'));
    expect([none.status, none.stderr]).to.satisfy(
      ([status, text]: [number, string]) => status === 2 && /none\.json cannot be read: ENOENT/.test(text),
    );
    const text = put('-', 'Door');
    expect([text.status, text.stderr.split('\n')[0]]).to.deep.equal([2, 'suuq: stdin is not JSON']);
    const wrong = put('-', '{"name":"Door"}');
    expect(wrong.status).to.equal(1);
    expect(wrong.stderr)
      .to.match(/^validation_failed: /)
      .and.include('  queue is required');
  });
});
