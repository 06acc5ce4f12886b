/** Forgetting a staff member in a running service, and in an older log after it is sealed. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  type Demo,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { commandLine } from '../support/stages/commandLine.js';

const EMAIL = 'ubax.warsame@shops.example';
const NAME = 'Ubax Warsame';
/** Email of a member who is not forgotten. */
const OTHER = 'cabdi.faarax@shops.example';

/** Returns the values that occur in files of the log or the vault. */
function inFiles(folder: string, ...values: readonly string[]): string[] {
  const files = ['events.db', 'events.db-wal', 'vault.db', 'vault.db-wal'].map((name) => join(folder, name));
  const texts = files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'latin1'));
  return values.filter((value) => texts.some((text) => text.includes(value)));
}

describe('an erased store member', function () {
  this.timeout(300_000);
  const folder = temporaryFolder('suuq-forget-staff-');
  const { suuq, json } = commandLine(folder.path, { timeout: 120_000 });
  let service: ServiceProcess;
  let demo: Demo;
  let id: string;

  const workspace = (): string => demo.store.workspaceId;
  const invite = (email: string, name: string): string =>
    json('admin', 'members', 'add', '--workspace', workspace(), '--email', email, '--role', 'viewer', '--name', name)
      .id;
  const people = (): { id: string; email: string; name: string }[] =>
    json('admin', 'members', 'list', '--workspace', workspace()).members;
  const forget = (...words: string[]) => suuq('admin', 'forget', ...words);
  const ofMember = () => ['--workspace', workspace(), '--member', id];

  before(async () => {
    service = await startService(folder.path);
    demo = readDemo(folder.path);
    id = invite(EMAIL, NAME);
    invite(OTHER, 'Cabdi Faarax');
    json('audit', 'verify');
  });
  after(async () => {
    await service?.stop();
    folder.remove();
  });

  it('is nowhere in the log in plain text, and is shown as usual before the erasure', () => {
    expect(inFiles(folder.path, EMAIL, NAME, OTHER)).to.deep.equal([]);
    expect(people().find((one) => one.id === id)).to.deep.include({ email: EMAIL, name: NAME });
    expect(suuq('query', "select * from events where type = 'MemberAdded'", '--json').stdout).to.include(EMAIL);
  });

  it('gets an export of their data, which is recorded', () => {
    const { member, stores, counts, entries } = json('admin', 'export-person', ...ofMember());
    expect({ member, stores }).to.deep.equal({ member: id, stores: [workspace()] });
    expect(counts).to.deep.equal({ member: 1, event: 2 });
    expect(JSON.stringify(entries)).to.include(EMAIL).and.to.include('MemberDataExported').and.not.to.include(OTHER);
    expect(suuq('admin', 'export-person', '--member', id).stderr).to.match(/^validation_failed: .*workspace/);
    expect(suuq('admin', 'export-person', '--workspace', workspace(), '--member', 'nobody').stderr).to.match(
      /^not_found: /,
    );
  });

  it('has to be disabled first, and to be identified in one way', () => {
    expect(forget(...ofMember()).stderr).to.match(/^member_not_disabled: .*members disable/);
    expect(forget('--email', EMAIL).stderr).to.match(/^member_not_disabled: /);
    expect(forget('--member', id).stderr).to.match(/^validation_failed: .*workspace/);
    expect(forget(...ofMember(), '--email', EMAIL).stderr).to.match(/^validation_failed: .*only one/);
    expect(forget().stderr).to.match(/^validation_failed: /);
    expect(forget('--email', 'nobody@shops.example').stderr).to.match(/^not_found: /);
    expect(people().find((one) => one.id === id)).to.deep.include({ email: EMAIL });
  });

  it('has no data left, in running read models and after a rebuild; others stay, and the proof is valid', async () => {
    json('admin', 'members', 'disable', '--workspace', workspace(), '--id', id);
    const { persons, stores, names } = json('admin', 'forget', ...ofMember());
    expect({ persons: persons.length, stores }).to.deep.equal({ persons: 1, stores: [workspace()] });
    expect(names).to.include.members(['members', 'sessions', 'stores', 'webhookEndpoints']);
    expect(names).not.to.include('orders');
    const isForgotten = (): void => {
      const all = people();
      expect(all.find((one) => one.id === id)).to.deep.include({ email: 'erased@erased.invalid', name: '' });
      expect(all.map(({ email }) => email)).to.include(OTHER);
      expect(suuq('query', 'select * from events', '--json').stdout)
        .to.include(OTHER)
        .and.not.to.include(EMAIL);
    };
    isForgotten();
    expect(json('audit', 'verify')).to.deep.include({ whole: true });
    expect(forget(...ofMember()).stderr).to.match(/^not_found: /);
    await service.stop();
    service = await startService(folder.path);
    demo = readDemo(folder.path);
    expect(suuq('projections', 'rebuild').status).to.equal(0);
    isForgotten();
  });

  it('may return as a new member', () => {
    const again = invite(EMAIL, NAME);
    expect(again).not.to.equal(id);
    expect(people().find((one) => one.id === again)).to.deep.include({ email: EMAIL, name: NAME });
  });
});

describe('a store member in an older log', function () {
  this.timeout(300_000);
  const root = temporaryFolder('suuq-forget-staff-before-');
  const [old, moved] = [join(root.path, 'old'), join(root.path, 'new')];
  after(() => root.remove());

  it('is in plain text, which prevents an erasure, and can be erased once the log is encrypted', async () => {
    const service = await startService(old, { SUUQ_SEAL: 'off' });
    const before = commandLine(old, { timeout: 120_000 });
    const { workspaceId } = readDemo(old).store;
    const ofStore = ['--workspace', workspaceId];
    try {
      const named = ['--email', EMAIL, '--role', 'viewer', '--name', NAME];
      const { id } = before.json('admin', 'members', 'add', ...ofStore, ...named);
      before.json('admin', 'members', 'disable', ...ofStore, '--id', id);
      expect(before.suuq('admin', 'forget', ...ofStore, '--member', id).stderr).to.match(
        /^stands_in_clear: .*suuq move/,
      );
    } finally {
      await service.stop();
    }
    expect(inFiles(old, EMAIL, NAME)).to.deep.equal([EMAIL, NAME]);
    const ran = before.suuq('move', '--to-folder', moved);
    expect(ran.status, ran.stderr).to.equal(0);
    const after = commandLine(moved, { timeout: 120_000 });
    expect(inFiles(moved, EMAIL, NAME)).to.deep.equal([]);
    const shown = () => after.suuq('query', 'select * from events', '--json').stdout;
    expect(shown()).to.include(EMAIL);
    const fresh = await startService(moved);
    try {
      expect(after.json('admin', 'forget', '--email', EMAIL).persons).to.have.length(1);
      expect(shown()).not.to.include(EMAIL).and.not.to.include(NAME);
    } finally {
      await fresh.stop();
    }
  });
});
