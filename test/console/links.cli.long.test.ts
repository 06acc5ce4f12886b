/** `suuq console`: links that an operator makes, and the output of a start. */
import { join } from 'node:path';
import { expect } from 'chai';
import { followLink } from '../../harness/service/consoleLink.js';
import { type ServiceProcess, startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { commandLine } from '../support/stages/commandLine.js';

describe('links into the console', () => {
  const folder = temporaryFolder('suuq-console-');
  const data = join(folder.path, 'data');
  const { suuq, json } = commandLine(data);
  let service: ServiceProcess;
  before(async () => {
    service = await startService(data);
  });
  after(async () => {
    await service?.stop();
    folder.remove();
  });

  /** Returns whom a link is for, or the code of the refusal. */
  async function follow(link: string): Promise<{ role?: string; workspaceId?: string; code?: string }> {
    const followed = await followLink(link);
    return 'code' in followed ? followed : followed.session;
  }

  it('are printed when the service starts', async () => {
    const [link] = /http:\S+\/console\/enter#\S+/.exec(service.output()) ?? [];
    expect(await follow(link!)).to.include({ role: 'operator' });
    expect((await follow(link!)).code).to.equal('console_link_used');
  });

  it('are created for an operator, an auditor, and store members', async () => {
    expect(await follow(json('console').url)).to.include({ role: 'operator' });
    expect(await follow(json('console', '--role', 'auditor').url)).to.include({ role: 'auditor' });
    const [store] = json('admin', 'stores', 'list').stores;
    const link = json('console', 'link', '--workspace', store.workspaceId, '--for', '1h');
    expect(await follow(link.url)).to.include({ role: 'store', workspaceId: store.workspaceId });
    const reported = suuq('console');
    expect([reported.status, reported.stdout]).to.satisfy(
      ([status, text]: [number, string]) => status === 0 && /\/console\/enter#/.test(text),
    );
  });

  it('are created by a store’s software with a key of the right scope, for that store only', async () => {
    const [{ workspaceId }] = json('admin', 'stores', 'list').stores;
    const request = async (key: string, headers: object = {}, body: object = {}, of = workspaceId) => {
      const answer = await fetch(`${service.baseUrl}/api/v1/workspaces/${of}/console-links`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      // biome-ignore lint/suspicious/noExplicitAny: a link or a problem
      return { status: answer.status, body: (await answer.json()) as any };
    };
    const keyWith = (scope: string): string =>
      json('admin', 'keys', 'create', '--workspace', workspaceId, '--mode', 'live', '--scope', scope).key;
    const key = keyWith('console:open');
    const made = await request(key, { 'idempotency-key': 'door-1' }, { minutes: 480 });
    expect(made.status).to.equal(201);
    const lasts = Date.parse(made.body.sessionExpiresAt) - Date.parse(made.body.expiresAt);
    expect(lasts).to.equal(470 * 60_000);
    const again = await request(key, { 'idempotency-key': 'door-1' }, { minutes: 480 });
    expect([again.status, again.body.url, again.body.expiresAt]).to.deep.equal([201, undefined, made.body.expiresAt]);
    const session = await follow(made.body.url);
    expect(session).to.include({ role: 'store', workspaceId, expiresAt: made.body.sessionExpiresAt });
    expect((await follow(made.body.url)).code).to.equal('console_link_used');
    expect((await request(keyWith('history:view'))).body.code).to.equal('permission_denied');
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect((await request(key, {}, {}, nobody)).status).to.equal(404);
  });

  it('are rejected for unknown targets, and if no service runs', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000';
    const codeOf = (...words: string[]) => suuq('console', ...words).stderr.split(':')[0];
    expect(codeOf('link', '--workspace', nobody)).to.equal('not_found');
    expect(codeOf('link', '--workspace', nobody, '--for', '25h')).to.equal('validation_failed');
    expect(codeOf('--role', 'king')).to.equal('validation_failed');
    await service.stop();
    expect(codeOf()).to.equal('not_running');
  });

  it('lead to the console’s own port if it has one, and are not printed if the output is stored', async () => {
    service = await startService(data, { SUUQ_CONSOLE_PORT: '0' });
    expect(service.output()).not.to.include('/console/enter#');
    const { url } = json('console');
    expect(new URL(url).port).not.to.equal(new URL(service.baseUrl).port);
    expect(await follow(url)).to.include({ role: 'operator' });
    expect(suuq('doctor').stdout, 'readiness is asked there').to.match(/is ready/);
    expect((await fetch(`${service.baseUrl}/readyz`)).status).to.equal(404);
  });
});
