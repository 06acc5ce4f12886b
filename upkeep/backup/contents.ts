/** Contents of a backup. Read models and snapshots are excluded: they are rebuilt from the log. */

export const LOG = 'events.db';
export const WORK = 'work.db';
/** Sealed keys of the data subjects in the log: without it their data cannot be read. */
export const PEOPLE = 'vault.db';
/** Only with a sandbox: its memory, and its files. */
export const SANDBOX = ['sandbox.jsonl'];
export const SANDBOX_FILES = 'sandbox-media';
export const MASTER_KEY = 'master.key';
/** Files with keys and secrets. */
export const KEYS = [MASTER_KEY, 'endpoint.key', 'endpoint.crt', 'sandbox-keys.json', 'demo.json'];

/** Files that a restore creates in the folder, in addition to keys. */
export const RESTORED = [
  LOG,
  WORK,
  `${LOG}-wal`,
  `${LOG}-shm`,
  `${WORK}-wal`,
  `${WORK}-shm`,
  PEOPLE,
  `${PEOPLE}-wal`,
  `${PEOPLE}-shm`,
  ...SANDBOX,
  SANDBOX_FILES,
  'files',
];
