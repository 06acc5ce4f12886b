import { storage } from '../../projections/storage.js';
import { type AdminCommand, adminQuery } from './declaration.js';
import { listAll, paging } from './listPages.js';
import { listText, table } from './text.js';

export const fileCommands: readonly AdminCommand[] = [
  adminQuery({
    name: 'files.usage',
    about: 'List the bytes of files and recordings per store, largest first.',
    list: 'stores',
    options: paging,
    async run({ reads }, page) {
      const { bodies, ...rest } = await listAll(reads, storage, { where: { kind: 'store' }, sort: ['-bytes'] }, page);
      return { stores: bodies, ...rest };
    },
    text: ({ stores, more }) =>
      listText(
        table(
          ['STORE', 'BYTES', 'FILES AND RECORDINGS'],
          stores.map(({ workspaceId = '', bytes, items }) => [workspaceId, bytes, items]),
          'No store has any.',
        ),
        more,
      ),
  }),
];
