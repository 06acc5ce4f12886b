import type { createKey, listKeys } from '../../admin/keys.js';
import { type CliCommand, command, type Typed, UsageError } from '../command.js';
import { listText, table } from '../text.js';

type Created = Awaited<ReturnType<typeof createKey>>;
type List = Awaited<ReturnType<typeof listKeys>>;

const owner = {
  partner: { value: 'ID', about: "A partner's key." },
  workspace: { value: 'ID', about: "A store's key." },
} as const;

function ownerOf(typed: Typed, required: boolean) {
  const partner = typed.one('partner');
  const workspace = typed.one('workspace');
  if (partner !== undefined && workspace !== undefined)
    throw new UsageError('--partner and --workspace must not be given together');
  if (required && partner === undefined && workspace === undefined)
    throw new UsageError('--partner or --workspace is missing');
  return { partner, workspace };
}

export const keyCommands: readonly CliCommand[] = [
  command<Created>({
    words: ['admin', 'keys', 'create'],
    about: 'Creates a key and shows it, once.',
    options: {
      ...owner,
      mode: { value: 'live|test', about: 'Which of the two the key is for.', required: true },
      kind: { value: 'secret|publishable', about: 'secret when absent.' },
      scope: { value: 'S', about: 'What the key may do, such as commerce:manage. Several.', many: true },
      origins: {
        value: 'O,…',
        about: 'Of a publishable key: pages that may frame the embed page, such as https://shop.example.',
        many: true,
      },
    },
    admin: {
      command: 'keys.create',
      input: (typed) => ({
        ...ownerOf(typed, true),
        mode: typed.one('mode'),
        kind: typed.one('kind'),
        scopes: typed.all('scope').flatMap((scopes) => scopes.split(',')),
        origins: typed.all('origins').flatMap((origins) => origins.split(',')),
      }),
    },
    text: ({ id, key }) => `${key}\n\nKey ${id}. Keep it now: it is not shown again.`,
  }),
  command<{ id: string }>({
    words: ['admin', 'keys', 'revoke'],
    about: 'Refuses a key from now on.',
    options: { id: { value: 'KEYID', about: "The key's id.", required: true } },
    admin: { command: 'keys.revoke', input: (typed) => ({ id: typed.one('id') }) },
    text: ({ id }) => `Key ${id} is revoked.`,
  }),
  command<List>({
    words: ['admin', 'keys', 'list'],
    about: 'Lists keys without what they open with.',
    options: owner,
    admin: { command: 'keys.list', input: (typed) => ownerOf(typed, false) },
    text: ({ keys, more }) =>
      listText(
        table(
          ['ID', 'OWNER', 'KIND', 'MODE', 'LAST4', 'STATUS', 'SCOPES', 'ORIGINS'],
          keys.map((key) => [
            key.keyId,
            key.partnerId === undefined ? `workspace ${key.workspaceId}` : `partner ${key.partnerId}`,
            key.kind,
            key.mode,
            key.last4,
            key.revokedAt === undefined ? 'active' : 'revoked',
            key.scopes.join(' '),
            (key.origins ?? []).join(' '),
          ]),
          'There are no keys.',
        ),
        more,
      ),
  }),
];
