import { count, type Shown, table } from '../../service/admin/text.js';
import type { BackupResult } from '../../upkeep/backup/backup.js';
import type { RestoreResult } from '../../upkeep/backup/restore.js';
import type { VerifyResult } from '../../upkeep/verify/verify.js';
import { type CliCommand, directCommand } from '../command.js';
import { upkeepShown } from '../progress.js';

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

const filesText = (files: BackupResult['files']): string =>
  'elsewhere' in files
    ? `Files are in ${files.elsewhere} and were not copied: keep that bucket's own versions or copies.`
    : `${count(files.count)} files (${megabytes(files.bytes)}) are in it.${files.left > 0 ? ` ${count(files.left)} others in their folder are none of the service's and were left out.` : ''}`;

function backupText({ place, log, parts, files, masterKey }: BackupResult): string {
  const bytes = parts.reduce((sum, { size }) => sum + size, 0);
  const named = masterKey.included
    ? 'The master key is in it: whoever reads the backup can open every stored secret.'
    : 'The master key is NOT in it, nor any other key: keep master.key (or SUUQ_MASTER_KEY) in another place, for stored secrets cannot be opened without it. --with-keys puts them in.';
  return [
    place,
    `${count(log.events)} events${log.id === undefined ? '' : `, up to position ${log.head} (${log.id})`}; ${parts.length} parts, ${megabytes(bytes)}.`,
    filesText(files),
    'Read models are not in it: they are built from the log.',
    named,
  ].join('\n');
}

function restoreText({ place, data, createdAt, log, files, masterKey, forgotten }: RestoreResult): string {
  const keys = {
    restored: 'The master key came with it.',
    present: 'The master key was here already, and is the right one.',
    missing: `The master key was not in it: put master.key into ${data}, or set SUUQ_MASTER_KEY, before the start.`,
  };
  return [
    `${data} holds ${place}, of ${createdAt}: ${count(log.events)} events, every part as the manifest says.`,
    'elsewhere' in files
      ? `Files are not in it: they were in ${files.elsewhere}.`
      : `${count(files.count)} files stand in the file store.`,
    keys[masterKey],
    ...(forgotten === undefined ? [] : [`${forgotten} people who were forgotten later are forgotten here too.`]),
    "Start the service: read models are built from the log first, and /readyz says when. 'suuq verify' goes through all of it.",
  ].join('\n');
}

function viewsText({ documents, behind, moving, left }: NonNullable<VerifyResult['projections']>): string[] {
  return [
    `${count(documents)} documents of read models equal a fresh fold.`,
    ...(behind > 0 ? [`${count(behind)} documents are not up to date yet, and were not compared.`] : []),
    ...(moving > 0 ? [`${count(moving)} documents changed each time they were looked at, and were not compared.`] : []),
    ...left.map(({ name, why }) => `${name} was not compared: ${why}.`),
  ];
}

function verifyText({
  whole,
  head,
  events,
  checkpoints,
  snapshots,
  projections,
  faults,
  faultCount,
}: VerifyResult): Shown {
  const looked = [
    `${count(events)} events, up to position ${head}; ${checkpoints} checkpoints; ${snapshots} snapshots.`,
    ...(projections === undefined ? [] : viewsText(projections)),
  ];
  if (whole) return [...looked, 'Everything is as it should be.'].join('\n');
  const more = faultCount > faults.length ? [`… and ${count(faultCount - faults.length)} more.`] : [];
  const rows = faults.map(({ part, place, what }) => [part, place, what]);
  return [...looked, '', table(['PART', 'PLACE', 'FAULT'], rows, ''), ...more, '', `${count(faultCount)} faults.`];
}

export const backupCommands: readonly CliCommand[] = [
  directCommand<BackupResult>({
    words: ['backup'],
    about: 'Back up to a new folder in a folder or bucket, online or offline.',
    arguments: [{ name: 'DIR|s3://BUCKET/PREFIX' }],
    options: {
      'with-keys': {
        about: 'Include the master key and the other keys of the data folder.',
      },
    },
    direct(typed, host, terminal) {
      const withKeys = typed.one('with-keys') === 'true';
      return upkeepShown(host, terminal, (upkeep, tell) => upkeep.backup(typed.argument(0)!, { withKeys }, tell));
    },
    text: backupText,
  }),
  directCommand<RestoreResult>({
    words: ['restore'],
    about: 'Restore a backup into an empty data folder, and check every part.',
    arguments: [{ name: 'DIR|s3://BUCKET/PREFIX' }],
    options: {
      forgotten: {
        value: 'VAULT',
        about: 'Newest vault.db: people erased in it are also erased in the restored data.',
      },
    },
    direct(typed, host, terminal) {
      const forgotten = typed.one('forgotten');
      return upkeepShown(host, terminal, (upkeep, tell) => upkeep.restore(typed.argument(0)!, { forgotten }, tell));
    },
    text: restoreText,
  }),
  directCommand<VerifyResult>({
    words: ['verify'],
    about: 'Verify events, read models and checkpoints, online or offline.',
    direct: (_typed, host, terminal) => upkeepShown(host, terminal, (upkeep, tell) => upkeep.verify(tell)),
    text: verifyText,
    failed: ({ whole }) => !whole,
  }),
];
