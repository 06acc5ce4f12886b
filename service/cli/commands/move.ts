import type { MoveResult } from '../../standalone/moving.js';
import { type CliCommand, directCommand } from '../command.js';

const text = ({ events, digest, documents, to, documentsTo, masterKeyFile }: MoveResult): string => {
  const lines = [
    `${events.toLocaleString('en')} events stand in ${to}, equal to those here (SHA-256 ${digest}).`,
    `${documents.toLocaleString('en')} documents of work that is owed or was done are in ${documentsTo}.`,
    'Start the service with EVENTSTORE_URL set to the same address; the read models are built from the log first.',
  ];
  if (masterKeyFile !== undefined)
    lines.push(
      `Its secrets are sealed with the key in ${masterKeyFile}: set SUUQ_MASTER_KEY_FILE to it, or SUUQ_MASTER_KEY.`,
    );
  return lines.join('\n');
};

export const moveCommands: readonly CliCommand[] = [
  directCommand<MoveResult>({
    words: ['move'],
    about: 'Copies the history of the data folder into an EventStoreDB, and checks every event.',
    options: { to: { value: 'URL', about: 'Such as esdb://127.0.0.1:2113?tls=false; EVENTSTORE_URL when absent.' } },
    direct: async (typed, host, terminal) =>
      (await host.move(typed.one('to'), (line) => terminal.note(`${line}\n`))) as MoveResult,
    text,
  }),
];
