/** Files of the data folder that can be damaged: which code names each, and what to do. */
import { FileDamaged } from '../../engine/ports/fileDamaged.js';

const FROM_BACKUP = "'suuq restore' makes a data folder of a backup.";
const MADE_ANEW = 'Remove it while no service runs: the next start makes it anew.';

export const REMEDIES: Readonly<Record<string, string>> = {
  'events.db': `'suuq verify' names all that is wrong; ${FROM_BACKUP}`,
  'work.db': `It says which effects are pending, so it is not made anew: ${FROM_BACKUP} Without a backup, move it away and run 'suuq processors settle'.`,
  'vault.db': 'It holds the keys of customers, so it is not made anew: put back the one of your newest backup.',
  'lock.db': MADE_ANEW,
  'views.db': 'It is made of the log: the next start builds it again.',
  'history.db': MADE_ANEW,
  'proofs.db': MADE_ANEW,
  'demo.json':
    'It only keeps keys of the demo store: put it back from a backup, or remove it and make new keys with suuq admin keys create.',
  'sandbox-keys.json': `It holds the sandbox's own keys. ${MADE_ANEW}`,
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
    throw new FileDamaged(file, text.trim() === '' ? 'it is empty' : 'it is no JSON');
  }
  if (typeof value === 'object' && value !== null && isWhole(value)) return value;
  throw new FileDamaged(file, 'it lacks what was written to it');
}
