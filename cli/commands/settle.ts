import { UsageError } from '../../service/admin/declaration.js';
import { MOST_REASON } from '../../service/admin/options.js';
import type { Settlement } from '../../upkeep/move/settlement.js';
import { type CliCommand, directCommand } from '../command.js';

const text = ({ processors }: Settlement): string =>
  [
    'The backlog is void. The log has a record of this with your reason.',
    ...(processors.length === 0
      ? []
      : [`Processors that were ahead of the log, whose pending tasks were discarded: ${processors.join(', ')}.`]),
    'Start the service: it derives timers, open payments and unsent messages from the log.',
  ].join('\n');

export const settleCommands: readonly CliCommand[] = [
  directCommand<Settlement>({
    words: ['processors', 'settle'],
    about: 'Declare the backlog void, after a restore without matching work.',
    options: { reason: { value: 'TEXT', about: 'Reason. Stored in the log.', required: true } },
    async direct(typed, host) {
      const reason = typed.one('reason')!;
      if (reason.length > MOST_REASON)
        throw new UsageError(`--reason must not be longer than ${MOST_REASON} characters`);
      return (await host.settle(reason)) as Settlement;
    },
    text,
  }),
];
