/** File uploads and new templates in the console, through a session of the running service. */
import { join } from 'node:path';
import { expect } from 'chai';
import { chime } from '../../domain/channel/chime.js';
import { signInBy } from '../../harness/service/consoleLink.js';
import { type ServiceProcess, startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { commandLine } from '../support/stages/commandLine.js';

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  readonly body: any;
}

describe('creation in the console', () => {
  const folder = temporaryFolder('suuq-console-');
  const data = join(folder.path, 'data');
  const { json } = commandLine(data);
  let service: ServiceProcess;
  let workspace: string;
  let operator: Record<string, string>;
  let auditor: Record<string, string>;
  let people: Record<string, string>;

  async function signIn(...words: string[]): Promise<Record<string, string>> {
    const { cookie, session } = await signInBy(json('console', ...words).url);
    return { cookie, 'x-csrf-token': session.csrf };
  }

  before(async () => {
    service = await startService(data);
    const [store] = json('admin', 'stores', 'list').stores;
    workspace = store.workspaceId;
    operator = await signIn();
    auditor = await signIn('--role', 'auditor');
    people = await signIn('link', '--workspace', workspace);
  });
  after(async () => {
    await service?.stop();
    folder.remove();
  });

  async function send(
    who: Record<string, string>,
    method: string,
    path: string,
    body?: Uint8Array | object,
    more: Record<string, string> = {},
  ): Promise<Answer> {
    const isFile = body instanceof Uint8Array;
    const answer = await fetch(`${service.baseUrl}/console/api${path}`, {
      method,
      headers: { ...who, 'content-type': isFile ? 'application/octet-stream' : 'application/json', ...more },
      ...(body !== undefined && { body: isFile ? Buffer.from(body) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  const upload = (who: Record<string, string>, bytes: Uint8Array, query: string, more: Record<string, string> = {}) =>
    send(who, 'POST', `/commands/recordings.put/file?workspace=${workspace}&${query}`, bytes, more);

  describe('recordings', () => {
    const GREETING = 'name=Welcome&kind=greeting&language=so';

    it("are uploaded from a user's file, once", async () => {
      const once = { 'idempotency-key': 'welcome' };
      const { status, body } = await upload(operator, chime(), GREETING, once);
      expect([status, body.detail]).to.deep.equal([200, undefined]);
      expect(body.result).to.include({ name: 'Welcome', status: 'ready' });
      expect((await upload(operator, chime(), GREETING, once)).body.result.id).to.equal(body.result.id);
      const other = await upload(operator, chime().subarray(0, 60), GREETING, once);
      expect(other.body.code).to.equal('idempotency_key_reused');
      const { recordings } = json('admin', 'recordings', 'list', '--workspace', workspace);
      const added = recordings.filter(({ name }: { name: string }) => name === 'Welcome');
      expect(added.map(({ id, language }: { id: string; language: string }) => [id, language])).to.deep.equal([
        [body.result.id, 'so'],
      ]);
    });

    it('are rejected with the command’s message, and no local file is read', async () => {
      const refused = async (bytes: Uint8Array, query: string, who = operator) => {
        const { status, body } = await upload(who, bytes, query);
        return [status, body.reason ?? body.code];
      };
      expect(await refused(new Uint8Array(), GREETING)).to.deep.equal([409, 'file_empty']);
      expect((await refused(chime(), 'name=W&kind=no-such'))[1]).to.equal('validation_failed');
      expect((await refused(chime(), `${GREETING}&file=/etc/passwd`))[1]).to.equal('validation_failed');
      expect(await refused(new Uint8Array(16 * 1024 * 1024 + 1), GREETING)).to.deep.equal([413, 'payload_too_large']);
      expect((await refused(chime(), GREETING, auditor))[1]).to.equal('permission_denied');
      expect((await refused(chime(), GREETING, people))[1]).to.equal('permission_denied');
      const none = await send(operator, 'POST', '/commands/plans.put/file?key=a', chime());
      expect(none.body.code).to.equal('not_found');
      const typed = { workspace, name: 'W', kind: 'greeting', file: '/etc/passwd' };
      expect((await send(operator, 'POST', '/commands/recordings.put', typed)).body.code).to.equal('validation_failed');
      const noToken = await upload({ cookie: operator.cookie! }, chime(), GREETING);
      expect(noToken.body.code).to.equal('csrf_token_missing');
    });
  });

  describe('templates', () => {
    const of = () => `/v1/workspaces/${workspace}/templates`;
    const TEMPLATE = {
      name: 'order_ready',
      language: 'en',
      category: 'utility',
      definition: { body: { text: 'Your order {{1}} is ready.', examples: [{ value: '1042' }] } },
    };

    it('are created, edited and deleted by an operator and store members, not by an auditor', async () => {
      const made = await send(people, 'POST', of(), TEMPLATE);
      expect([made.status, made.body.errors]).to.deep.equal([201, undefined]);
      expect((await send(operator, 'POST', of(), TEMPLATE)).body.code).to.equal('template_name_taken');
      expect((await send(auditor, 'POST', of(), TEMPLATE)).body.code).to.equal('permission_denied');
      const listed = await send(auditor, 'GET', of());
      expect(listed.body.templates.map(({ name }: { name: string }) => name)).to.include('order_ready');
      const deleted = await send(operator, 'DELETE', `${of()}/${made.body.id}`);
      expect(deleted.status).to.equal(202);
    });
  });
});
