import type { createStore, listStores } from '../../admin/stores.js';
import { type CliCommand, command } from '../command.js';
import { listText, table } from '../text.js';

type Created = Awaited<ReturnType<typeof createStore>>;
type List = Awaited<ReturnType<typeof listStores>>;
type Moved = { readonly workspaceId: string; readonly status: string };

const workspace = { value: 'ID', about: "The store's workspace id.", required: true } as const;
const moved = ({ workspaceId, status }: Moved): string => `Store ${workspaceId} is ${status}.`;

export const storeCommands: readonly CliCommand[] = [
  command<Created>({
    words: ['admin', 'stores', 'create'],
    about: 'Creates a store: of a partner, or one that stands alone.',
    options: {
      name: { value: 'N', about: 'As people read it.', required: true },
      'owner-email': { value: 'E', about: "The owner's e-mail address.", required: true },
      'owner-name': { value: 'N', about: "The owner's name.", required: true },
      country: { value: 'CC', about: 'ISO 3166-1 alpha-2.', required: true },
      timezone: { value: 'TZ', about: 'IANA name, such as Africa/Mogadishu.', required: true },
      locale: { value: 'L', about: 'en, so or ar; en when absent.' },
      partner: { value: 'ID', about: 'The partner that runs it.' },
      'external-ref': { value: 'R', about: "The partner's own id for it; needed with --partner." },
      plan: { value: 'K', about: "Its plan; needed without --partner, else the partner's default plan." },
    },
    admin: {
      command: 'stores.create',
      input: (typed) => ({
        name: typed.one('name'),
        ownerEmail: typed.one('owner-email'),
        ownerName: typed.one('owner-name'),
        country: typed.one('country'),
        timezone: typed.one('timezone'),
        locale: typed.one('locale'),
        partner: typed.one('partner'),
        externalRef: typed.one('external-ref'),
        plan: typed.one('plan'),
      }),
    },
    text: ({ workspaceId, created }) => `Store ${workspaceId}${created ? '' : ' (there already, unchanged)'}`,
  }),
  command<List>({
    words: ['admin', 'stores', 'list'],
    about: 'Lists the stores, newest first.',
    options: { partner: { value: 'ID', about: "Only this partner's." } },
    admin: { command: 'stores.list', input: (typed) => ({ partner: typed.one('partner') }) },
    text: ({ stores, more }) =>
      listText(
        table(
          ['WORKSPACE', 'STATUS', 'REFERENCE', 'NAME'],
          stores.map(({ workspaceId, status, externalRef, name }) => [workspaceId, status, externalRef ?? '-', name]),
          'There are no stores.',
        ),
        more,
      ),
  }),
  command<Moved>({
    words: ['admin', 'stores', 'suspend'],
    about: 'Makes a store read-only; only the operator can lift it.',
    options: { workspace, reason: { value: 'R', about: 'Kept in the history.' } },
    admin: {
      command: 'stores.suspend',
      input: (typed) => ({ workspace: typed.one('workspace'), reason: typed.one('reason') }),
    },
    text: moved,
  }),
  command<Moved>({
    words: ['admin', 'stores', 'reinstate'],
    about: "Ends the operator's suspension of a store.",
    options: { workspace },
    admin: { command: 'stores.reinstate', input: (typed) => ({ workspace: typed.one('workspace') }) },
    text: moved,
  }),
];
