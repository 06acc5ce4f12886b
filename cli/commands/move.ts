import { resolve } from 'node:path';
import { defined } from '../../domain/defined.js';
import { count } from '../../service/admin/text.js';
import type { MoveResult } from '../../upkeep/move/move.js';
import { type CliCommand, directCommand } from '../command.js';

function next({ files, to, masterKeyFile, sealed }: MoveResult): string[] {
  if (files !== undefined)
    return [
      `${count(files)} files and keys stand there too. Start the service with SUUQ_DATA=${to}; the read models are built from the log first.`,
      'The old folder was left as it is, with people in clear: once the new one serves, delete it, and its backups with it.',
    ];
  const lines = [
    `Start the service with EVENTSTORE_URL set to the same address${sealed ? ', and SUUQ_SEAL=on' : ''}; the read models are built from the log first.`,
  ];
  if (masterKeyFile !== undefined)
    lines.push(
      `Its secrets are sealed with the key in ${masterKeyFile}: set SUUQ_MASTER_KEY_FILE to it, or SUUQ_MASTER_KEY.`,
    );
  if (sealed)
    lines.push(
      'The old log, events.db in the data folder, holds people in clear: once the new one serves, delete it, and its backups with it.',
    );
  return lines;
}

function signed({ statement }: MoveResult): string[] {
  if (statement === undefined) return [];
  const { from, to, time, keyId, reopens } = statement;
  return [
    `People are sealed in it, so its proofs are others: the root over ${count(from.size)} events was ${from.rootHash}, and is ${to.rootHash}. That was signed at ${time} with the key ${keyId}.`,
    ...(reopens ? [] : ['The old root does not follow from the new log: events of other programs are in it.']),
  ];
}

const text = (result: MoveResult): string => {
  const { events, digest, documents, to, documentsTo, sealed } = result;
  return [
    `${count(events)} events stand in ${to}, ${sealed ? 'sealed, and when opened ' : ''}equal to those here (SHA-256 ${digest}).`,
    `${count(documents)} documents of work that is owed or was done are in ${documentsTo}.`,
    ...signed(result),
    ...next(result),
  ].join('\n');
};

export const moveCommands: readonly CliCommand[] = [
  directCommand<MoveResult>({
    words: ['move'],
    about: 'Move the history to EventStoreDB or a new folder, and verify it.',
    options: {
      to: { value: 'URL', about: 'Target, such as esdb://127.0.0.1:2113?tls=false. Default: EVENTSTORE_URL.' },
      'to-folder': {
        value: 'DIR',
        about: 'Empty data folder to move the whole installation to. Seals personal data.',
      },
      seal: { about: 'Seal personal data that the log holds in clear text.' },
    },
    direct: async (typed, host, terminal) => {
      const folder = typed.one('to-folder');
      const asked = {
        ...defined({ to: typed.one('to'), folder: folder && resolve(folder) }),
        seal: typed.one('seal') === 'true',
      };
      return (await host.move(asked, (line) => terminal.note(`${line}\n`))) as MoveResult;
    },
    text,
  }),
];
