import { resolve } from 'node:path';
import { defined } from '../../domain/defined.js';
import { count } from '../../service/admin/text.js';
import type { MoveResult } from '../../upkeep/move/move.js';
import { type CliCommand, directCommand } from '../command.js';

function next({ files, to, masterKeyFile, sealed }: MoveResult): string[] {
  if (files !== undefined)
    return [
      `${count(files)} files and keys were moved too. Start the service with SUUQ_DATA=${to}; it first rebuilds the read models from the log.`,
      'The old folder was not changed, and holds personal data in clear text. Once the new one is in use, delete the old folder and its backups.',
    ];
  const lines = [
    `Start the service with EVENTSTORE_URL set to the same address${sealed ? ', and SUUQ_SEAL=on' : ''}; it first rebuilds the read models from the log.`,
  ];
  if (masterKeyFile !== undefined)
    lines.push(
      `Its secrets are encrypted with the key in ${masterKeyFile}. Set SUUQ_MASTER_KEY_FILE to that file, or set SUUQ_MASTER_KEY.`,
    );
  if (sealed)
    lines.push(
      'The old log, events.db in the data folder, holds personal data in clear text. Once the new one is in use, delete the old log and its backups.',
    );
  return lines;
}

function signed({ statement }: MoveResult): string[] {
  if (statement === undefined) return [];
  const { from, to, time, keyId, reopens } = statement;
  return [
    `Personal data is sealed, so the proofs changed: the root of ${count(from.size)} events was ${from.rootHash}, and is ${to.rootHash}. The statement was signed at ${time} with the key ${keyId}.`,
    ...(reopens ? [] : ['The old root cannot be derived from the new log, because it has events of other programs.']),
  ];
}

const text = (result: MoveResult): string => {
  const { events, digest, documents, to, documentsTo, sealed } = result;
  return [
    `${count(events)} events moved to ${to}, ${sealed ? 'sealed; decrypted they are ' : ''}equal to those here (SHA-256 ${digest}).`,
    `${count(documents)} documents of pending and completed work moved to ${documentsTo}.`,
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
      const requested = {
        ...defined({ to: typed.one('to'), folder: folder && resolve(folder) }),
        seal: typed.one('seal') === 'true',
      };
      return (await host.move(requested, (line) => terminal.note(`${line}\n`))) as MoveResult;
    },
    text,
  }),
];
