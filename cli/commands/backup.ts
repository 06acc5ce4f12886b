import { count, type Shown, table } from '../../service/admin/text.js';
import type { BackupResult } from '../../upkeep/backup/backup.js';
import type { RestoreResult } from '../../upkeep/backup/restore.js';
import type { VerifyResult } from '../../upkeep/verify/verify.js';
import { type CliCommand, directCommand } from '../command.js';
import { upkeepShown } from '../progress.js';

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

const filesText = (files: BackupResult['files']): string =>
  'elsewhere' in files
    ? `Files are in ${files.elsewhere} and were not copied. Back up that bucket separately.`
    : `${count(files.count)} files (${megabytes(files.bytes)}) are included.${files.left > 0 ? ` ${count(files.left)} other files in that folder do not belong to the service and were skipped.` : ''}`;

function backupText({ place, log, parts, files, masterKey }: BackupResult): string {
  const bytes = parts.reduce((sum, { size }) => sum + size, 0);
  const named = masterKey.included
    ? 'The master key is included: anyone who can read the backup can decrypt all stored secrets.'
    : 'The master key and other keys are NOT included. Store master.key (or SUUQ_MASTER_KEY) separately: stored secrets cannot be decrypted without it. Include the keys with --with-keys.';
  return [
    place,
    `${count(log.events)} events${log.id === undefined ? '' : `, up to position ${log.head} (${log.id})`}; ${parts.length} parts, ${megabytes(bytes)}.`,
    filesText(files),
    'Read models are not included: they are rebuilt from the log.',
    named,
  ].join('\n');
}

function restoreText({ place, data, createdAt, log, files, masterKey, forgotten }: RestoreResult): string {
  const keys = {
    restored: 'The master key was in the backup.',
    present: 'The existing master key matches the backup.',
    missing: `The master key was not in the backup. Before the start, put master.key into ${data} or set SUUQ_MASTER_KEY.`,
  };
  return [
    `Restored ${place}, created at ${createdAt}, into ${data}: ${count(log.events)} events, all parts verified against the manifest.`,
    'elsewhere' in files
      ? `Files are not in the backup: they were in ${files.elsewhere}.`
      : `${count(files.count)} files are in the file store.`,
    keys[masterKey],
    ...(forgotten === undefined ? [] : [`${forgotten} data subjects who were erased later were erased here too.`]),
    "Start the service: it first rebuilds the read models from the log, with progress on /readyz. To verify all data, run 'suuq verify'.",
  ].join('\n');
}

function viewsText({ documents, behind, moving, left }: NonNullable<VerifyResult['projections']>): string[] {
  return [
    `${count(documents)} documents of read models match the log.`,
    ...(behind > 0 ? [`${count(behind)} documents lag behind the log and were not compared.`] : []),
    ...(moving > 0 ? [`${count(moving)} documents changed during the comparison and were not compared.`] : []),
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
  const counts = [
    `${count(events)} events, up to position ${head}; ${checkpoints} checkpoints; ${snapshots} snapshots.`,
    ...(projections === undefined ? [] : viewsText(projections)),
  ];
  if (whole) return [...counts, 'No faults.'].join('\n');
  const more = faultCount > faults.length ? [`… and ${count(faultCount - faults.length)} more.`] : [];
  const rows = faults.map(({ part, place, what }) => [part, place, what]);
  return [...counts, '', table(['PART', 'PLACE', 'FAULT'], rows, ''), ...more, '', `${count(faultCount)} faults.`];
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
      return upkeepShown(host, terminal, (upkeep, report) => upkeep.backup(typed.argument(0)!, { withKeys }, report));
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
      return upkeepShown(host, terminal, (upkeep, report) => upkeep.restore(typed.argument(0)!, { forgotten }, report));
    },
    text: restoreText,
  }),
  directCommand<VerifyResult>({
    words: ['verify'],
    about: 'Verify events, read models and checkpoints, online or offline.',
    direct: (_typed, host, terminal) => upkeepShown(host, terminal, (upkeep, report) => upkeep.verify(report)),
    text: verifyText,
    failed: ({ whole }) => !whole,
  }),
];
