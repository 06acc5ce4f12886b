/** Reading commands of the command line, as operators run them next to a service under load. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suuqCommand } from '../../harness/service/serviceProcess.js';

/** Things that commands name by their ids. */
export interface Known {
  readonly workspaceId: string;
  /** Undefined until the first order was placed. */
  readonly orderId: string | undefined;
}

export interface ReadingCommand {
  readonly name: string;
  /** Arguments of Node. */
  readonly words: readonly string[];
  /** A folder that the command makes. */
  readonly makes?: string;
}

const STREAMS = fileURLToPath(new URL('./readStreams.js', import.meta.url));

const PROJECTION = `
export const perType = {
  name: 'perType', version: 1, categories: ['catalog'], keys: { count: 'number' }, indexes: [],
  on: {
    ProductAdded: {
      ids: ({ meta }) => [meta.workspaceId],
      evolve: (view) => ({ keys: { count: (view?.keys.count ?? 0) + 1 }, body: {} }),
    },
  },
};
`;

/** Returns all reading commands. `scratch`: a folder for what they write, of one lane alone; `turn` numbers the lane's commands. */
export function readingCommands(scratch: string, turn: number, { workspaceId, orderId }: Known): ReadingCommand[] {
  mkdirSync(scratch, { recursive: true });
  const handlers = join(scratch, 'perType.mjs');
  writeFileSync(handlers, PROJECTION);
  const suuq = (...words: string[]): ReadingCommand => ({
    name: words.filter((word) => /^[a-z-]+$/.test(word)).join(' '),
    words: [suuqCommand, ...words, '--json'],
  });
  const backup = join(scratch, `backup-${turn}`);
  const once = join(scratch, `export-${turn}`);
  return [
    suuq('status'),
    suuq('settings'),
    suuq('projections', 'status'),
    suuq('processors', 'status'),
    suuq('logs'),
    suuq('admin', 'stores', 'list'),
    suuq('admin', 'keys', 'list'),
    suuq('admin', 'files', 'usage'),
    suuq('history', 'store', workspaceId),
    suuq('history', 'product', workspaceId, 'P1'),
    ...(orderId === undefined ? [] : [suuq('history', 'order', orderId), suuq('audit', 'order', orderId)]),
    suuq('audit', 'stream', `store-${workspaceId}`),
    suuq('audit', 'head'),
    suuq('audit', 'keys'),
    suuq('audit', 'moves'),
    suuq('audit', 'verify'),
    suuq('query', 'select type, count(*) as n from events group by type'),
    suuq('query', 'select count(*) as n from products'),
    suuq('events', 'tail', '--after', '-1', '--limit', '50'),
    suuq('projections', 'try', handlers),
    suuq('projections', 'diff', 'products'),
    suuq('doctor'),
    suuq('verify'),
    { ...suuq('backup', backup), makes: backup },
    { ...suuq('export', once), makes: once },
    // Each time into the same folder: the next one goes on where this one ended, or was killed.
    suuq('export', join(scratch, 'export'), '--format', 'jsonl'),
    { name: 'openStreams', words: [STREAMS] },
  ];
}

export const remove = ({ makes }: ReadingCommand): void => {
  if (makes !== undefined) rmSync(makes, { recursive: true, force: true });
};
