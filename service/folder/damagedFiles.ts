/** Files of the data folder that can be damaged: which code names each, and what to do. */
import { FileDamaged } from '../../engine/ports/fileDamaged.js';

const FROM_BACKUP = "Restore a backup with 'suuq restore'.";
const REBUILT = 'Stop the service and remove it: the next start rebuilds it.';

export const REMEDIES: Readonly<Record<string, string>> = {
  'events.db': `Run 'suuq verify' to list all damage. ${FROM_BACKUP}`,
  'work.db': `It holds the pending effects, so it is not rebuilt. ${FROM_BACKUP} Without a backup, move it away and run 'suuq processors settle'.`,
  'vault.db': 'It holds the keys of customers, so it is not rebuilt. Restore it from your newest backup.',
  'lock.db': REBUILT,
  'views.db': 'It is built from the log: the next start rebuilds it.',
  'history.db': REBUILT,
  'proofs.db': REBUILT,
  'demo.json':
    'It only holds the keys of the demo store. Restore it from a backup, or remove it and create new keys with suuq admin keys create.',
  'sandbox-keys.json': `It holds the sandbox's own keys. ${REBUILT}`,
};

export interface Damage {
  readonly file: string;
  /** Such as `work_damaged`. */
  readonly code: string;
  readonly sentence: string;
  readonly remedy: string;
}

/** Code and message for a damaged file. */
export function damageOf({ file, reason }: FileDamaged): Damage {
  const code = file === 'events.db' ? 'log_damaged' : `${file.replace(/\.\w+$/, '').replaceAll('-', '_')}_damaged`;
  return { file, code, sentence: `${file} is damaged (${reason}).`, remedy: REMEDIES[file] ?? FROM_BACKUP };
}

/** One line for people. */
export const damageText = ({ code, sentence, remedy }: Damage): string => `${code}: ${sentence} ${remedy}`;

/** The JSON in a file. Throws FileDamaged; `isWhole`: whether it is what was written. */
export function parsedFile<T extends object>(file: string, text: string, isWhole: (value: T) => boolean): T {
  let value: T;
  try {
    value = JSON.parse(text) as T;
  } catch {
    throw new FileDamaged(file, text.trim() === '' ? 'it is empty' : 'it is not JSON');
  }
  if (typeof value === 'object' && value !== null && isWhole(value)) return value;
  throw new FileDamaged(file, 'its content is incomplete');
}
