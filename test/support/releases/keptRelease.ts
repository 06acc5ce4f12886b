/**
 * Data folder of a release, stored for all later releases: `test/releases/VERSION/data.tar.gz` after the demo's day,
 * and the release's responses in `answers.json`. Its master key is not secret, and issued keys are not included.
 */
import { join } from 'node:path';
import { API, routeOf } from '../../../api/contract/routes.js';
import { operations } from '../../../api/operations/index.js';
import { WORKSPACE_SCOPES } from '../../../domain/access/scopes.js';
import { projectFolder, type ServiceProcess } from '../../../harness/service/serviceProcess.js';
import { commandLine } from '../stages/commandLine.js';

export const releasesFolder = join(projectFolder, 'test/releases');

/** Settings under which the folders were sealed. The master key is 32 times 07. */
export const KEPT_ENV: Readonly<Record<string, string>> = {
  SUUQ_MASTER_KEY: '07'.repeat(32),
  SUUQ_SANDBOX: 'on',
  SUUQ_SANDBOX_PORT: '0',
};

export interface StoredRelease {
  readonly workspaceId: string;
  /** Bodies by path. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** Lists of a store: reads that name nothing but the store. Histories are excluded, since they continue to grow. */
const paths = operations
  .map((operation) => routeOf(operation))
  .filter(
    ({ method, path }) => method === 'GET' && /\{workspaceId\}(?:\/[^{]*)?$/.test(path) && !path.includes('/history'),
  )
  .map(({ path }) => path);

/** Returns the service's responses to a new key of the store with all scopes. */
export async function answersOf(
  service: ServiceProcess,
  data: string,
  workspaceId: string,
): Promise<StoredRelease['answers']> {
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
  const request = async (path: string): Promise<void> => {
    const url = `${service.baseUrl}${path.replace('{workspaceId}', workspaceId)}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    const text = (await answer.text()).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1');
    if (answer.status === 200) answers[path] = JSON.parse(text);
  };
  for (const path of paths) await request(path);
  for (const [list, items, more] of [
    [`${API}/workspaces/{workspaceId}/commerce/orders`, 'orders', ''],
    [`${API}/workspaces/{workspaceId}/conversations`, 'conversations', '/messages'],
  ] as const) {
    const listed = answers[list] as Record<string, { id: string }[]>;
    for (const { id } of listed[items]!) await request(`${list}/${id}${more}`);
  }
  return answers;
}
