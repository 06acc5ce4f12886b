/** What of a data folder goes into a backup. Read models and snapshots do not: they are built from the log. */

export const LOG = 'events.db';
export const WORK = 'work.db';
/** Keys of the people whom the log tells of, sealed: without it nobody can be read. */
export const PEOPLE = 'vault.db';
/** Only with a sandbox: its memory, and its files. */
export const SANDBOX = ['sandbox.jsonl'];
export const SANDBOX_FILES = 'sandbox-media';
export const MASTER_KEY = 'master.key';
/** What opens secrets, or is one. */
export const KEYS = [MASTER_KEY, 'endpoint.key', 'endpoint.crt', 'sandbox-keys.json', 'demo.json'];

/** What a restore makes in the folder, beside keys. */
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
