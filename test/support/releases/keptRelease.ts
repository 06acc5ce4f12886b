/**
 * A data folder as a release has left it, kept for all later ones: `test/releases/VERSION/data.tar.gz` after the demo's day, and in
 * `answers.json` what the release answered then. Its master key is no secret, and the keys that were given out are not in it.
 */
import { join } from 'node:path';
import { API, routeOf } from '../../../api/contract/routes.js';
import { operations } from '../../../api/operations/index.js';
import { WORKSPACE_SCOPES } from '../../../domain/access/scopes.js';
import { projectFolder, type ServiceProcess } from '../../../harness/service/serviceProcess.js';
import { commandLine } from '../stages/commandLine.js';

export const releasesFolder = join(projectFolder, 'test/releases');

/** What the kept folders were sealed with: 32 times 07. */
export const KEPT_ENV: Readonly<Record<string, string>> = {
  SUUQ_MASTER_KEY: '07'.repeat(32),
  SUUQ_SANDBOX: 'on',
  SUUQ_SANDBOX_PORT: '0',
};

export interface Kept {
  readonly workspaceId: string;
  /** Bodies by path. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** Lists of a store: all that is read without naming more than the store. A history goes on by itself. */
const paths = operations
  .map((operation) => routeOf(operation))
  .filter(
    ({ method, path }) => method === 'GET' && /\{workspaceId\}(?:\/[^{]*)?$/.test(path) && !path.includes('/history'),
  )
  .map(({ path }) => path);

/** What a service answers to a store's own key with all scopes, which is made for it. */
export async function answersOf(service: ServiceProcess, data: string, workspaceId: string): Promise<Kept['answers']> {
  const scopes = WORKSPACE_SCOPES.flatMap((scope) => ['--scope', scope]);
  const { key } = commandLine(data).json(
    'admin',
    'keys',
    'create',
    '--workspace',
    workspaceId,
    '--mode',
    'live',
    ...scopes,
  );
  const answers: Record<string, unknown> = {};
  const ask = async (path: string): Promise<void> => {
    const url = `${service.baseUrl}${path.replace('{workspaceId}', workspaceId)}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    const text = (await answer.text()).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1');
    if (answer.status === 200) answers[path] = JSON.parse(text);
  };
  for (const path of paths) await ask(path);
  for (const [list, items, more] of [
    [`${API}/workspaces/{workspaceId}/commerce/orders`, 'orders', ''],
    [`${API}/workspaces/{workspaceId}/conversations`, 'conversations', '/messages'],
  ] as const) {
    const listed = answers[list] as Record<string, { id: string }[]>;
    for (const { id } of listed[items]!) await ask(`${list}/${id}${more}`);
  }
  return answers;
}
