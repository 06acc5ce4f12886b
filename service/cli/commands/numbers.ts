import type { connectNumber, listNumbers } from '../../admin/numbers.js';
import { type CliCommand, command } from '../command.js';
import { facts, listText, table } from '../text.js';

type Connected = Awaited<ReturnType<typeof connectNumber>>;
type List = Awaited<ReturnType<typeof listNumbers>>;

export const numberCommands: readonly CliCommand[] = [
  command<Connected>({
    words: ['admin', 'numbers', 'connect'],
    about: "Connects a store's number on the channel; what is left out is invented for the sandbox.",
    options: {
      workspace: { value: 'ID', about: "The store's workspace id.", required: true },
      'phone-number-id': { value: 'DIGITS', about: "The channel's id of the number." },
      'display-phone-number': { value: 'TEL', about: 'With country code, such as +252611234567.' },
      'business-account-id': { value: 'DIGITS', about: "The channel's id of the business account." },
      'catalog-id': { value: 'DIGITS', about: "The provider's catalog that products are pushed to." },
      'access-token': { value: 'TOKEN', about: "For calls on this number; the service's own when absent." },
    },
    admin: {
      command: 'numbers.connect',
      input: (typed) => ({
        workspace: typed.one('workspace'),
        phoneNumberId: typed.one('phone-number-id'),
        displayPhoneNumber: typed.one('display-phone-number'),
        businessAccountId: typed.one('business-account-id'),
        catalogId: typed.one('catalog-id'),
        accessToken: typed.one('access-token'),
      }),
    },
    text: (channel) => facts({ ...channel }),
  }),
  command<List>({
    words: ['admin', 'numbers', 'list'],
    about: 'Lists the connected numbers.',
    admin: { command: 'numbers.list', input: () => ({}) },
    text: ({ numbers, more }) =>
      listText(
        table(
          ['PHONE NUMBER ID', 'NUMBER', 'CATALOG', 'WORKSPACE'],
          numbers.map((n) => [n.phoneNumberId, n.displayPhoneNumber, n.catalogId, n.workspaceId]),
          'There are no connected numbers.',
        ),
        more,
      ),
  }),
];
