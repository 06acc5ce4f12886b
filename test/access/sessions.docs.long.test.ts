/** The signing code of docs/guides/sessions.md, run unchanged against the service. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ROLE_SCOPES } from '../../domain/access/roles.js';
import { WORKSPACE_SCOPES } from '../../domain/access/scopes.js';
import { openSessionStage, type SessionStage } from '../support/stages/sessionStage.js';

const page = new URL('../../../docs/guides/sessions.md', import.meta.url);
const run = promisify(execFile);

describe('docs/guides/sessions.md', () => {
  let stage: SessionStage;
  let folder: string;
  let text: string;
  before(async () => {
    // The page's code uses the system clock.
    stage = await openSessionStage({ start: Date.now() });
    folder = await mkdtemp(join(tmpdir(), 'suuq-signing-'));
    text = await readFile(page, 'utf8');
  });
  after(async () => {
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  });

  const block = (language: string, n = 0): string => {
    const found = [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))][n]?.[1];
    expect(found, `the page has the ${language}`).to.be.a('string');
    return found!;
  };
  async function signed(secretKey: string, user: string): Promise<string> {
    const path = join(folder, 'sign.mjs');
    await writeFile(path, block('js'));
    const { stdout } = await run(process.execPath, [path], {
      env: { ...process.env, SECRET_KEY: secretKey, USER: user },
    });
    return stdout.trim();
  }

  it('signs for a user of a store', async () => {
    const store = await stage.store('Hodan');
    const { status, body } = await stage.signIn(store, await signed(store.secret.key, block('json', 0)));
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body).to.include({ name: 'Asha', workspaceId: store.id });
    expect((await stage.call(body.token, 'GET', `/workspaces/${store.id}/members`)).status).to.equal(200);
  });

  it('signs for a user of a partner', async () => {
    const partner = await stage.partner('acme');
    await stage.partnerStore(partner.id, 'shop-7');
    const { status, body } = await stage.signIn(partner, await signed(partner.secret.key, block('json', 1)));
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body.stores[0]).to.include({ externalRef: 'shop-7', role: 'supervisor' });
  });

  it('documents the scopes of each role correctly', () => {
    for (const [role, scopes] of Object.entries(ROLE_SCOPES)) {
      const row = text
        .split('\n')
        .find((line) => line.startsWith('| `') && line.split('|')[1]!.includes(`\`${role}\``));
      const reported = [...(row ?? '').split('|')[2]!.matchAll(/`([a-z]+:[a-z]+)`/g)].map(([, scope]) => scope!);
      const intended = row!.includes('all of a store') ? WORKSPACE_SCOPES : reported;
      expect([...intended].sort(), role).to.deep.equal([...scopes].sort());
    }
  });
});
