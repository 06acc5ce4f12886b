import { UsageError } from '../../service/admin/declaration.js';
import { MOST_REASON } from '../../service/admin/options.js';
import type { Settlement } from '../../upkeep/move/settlement.js';
import { type CliCommand, directCommand } from '../command.js';

const text = ({ processors }: Settlement): string =>
  [
    'Nothing that happened before is owed now, which the log keeps with your reason.',
    ...(processors.length === 0
      ? []
      : [`They had come further than the log, and what they still had to do is forgotten: ${processors.join(', ')}.`]),
    'Start the service: timers, open payments and messages that were not sent are derived from the log again.',
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
