import { type RotatedPart, rotateSecrets } from '../../application/secrets/secretRotation.js';
import { BEFORE_ALL } from '../../engine/ports/eventStore.js';
import { type AdminCommand, adminCommand, type Execute, type Option, type Terminal } from './declaration.js';
import { bar } from './text.js';

/** Result for the whole log. */
interface Rotated {
  /** Ids of the master keys: the one that seals, and those that may go, or not. */
  readonly current: string;
  readonly others: readonly string[];
  readonly resealed: number;
  /** Streams with secrets that none of the keys opens. */
  readonly unreadable: readonly string[];
  /** People whose key none of the master keys opens. */
  readonly unreadablePeople: number;
}

type Part = RotatedPart & Pick<Rotated, 'current' | 'others' | 'unreadablePeople'>;

/** Named one by one. */
const MOST_NAMED = 20;

const after: Option<number> = {
  value: 'POSITION',
  about: 'Log position to start after. Default: the whole log.',
  send: (typed) => (typed === undefined ? undefined : Number(typed)),
  check(fields, name) {
    const value = fields.value(name) ?? BEFORE_ALL;
    if (Number.isSafeInteger(value)) return value as number;
    fields.problem(name, 'must be a position in the log', value);
    return BEFORE_ALL;
  },
};

/** Runs part by part until the log's end: an interruption loses nothing, and the next run starts from the beginning. */
async function follow(first: object, execute: Execute, terminal: Terminal): Promise<Rotated> {
  let part = first as Part;
  let resealed = part.resealed;
  const unreadable = new Set(part.unreadable);
  const show = (): void => {
    const share = part.end ? 1 : (part.through + 1) / Math.max(1, part.head + 1);
    if (terminal.watched) terminal.note(`\r${bar(share)}  ${resealed} re-encrypted\u001b[K${part.end ? '\n' : ''}`);
  };
  show();
  while (!part.end) {
    part = (await execute('secrets.rotate', { after: part.through })) as Part;
    resealed += part.resealed;
    for (const stream of part.unreadable) unreadable.add(stream);
    show();
  }
  const { current, others, unreadablePeople } = part;
  return { current, others, resealed, unreadable: [...unreadable], unreadablePeople };
}

function text({ current, others, resealed, unreadable, unreadablePeople }: Rotated): string {
  const lines = [`${resealed} secrets re-encrypted with the master key ${current}.`];
  if (unreadable.length > 0) {
    const more = unreadable.length - MOST_NAMED;
    lines.push(
      `${unreadable.length} streams hold secrets that none of the configured keys decrypts. Add the key that encrypted them, or enter the secrets again.`,
      ...unreadable.slice(0, MOST_NAMED).map((stream) => `  ${stream}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
    );
  }
  if (unreadablePeople > 0)
    lines.push(
      `None of the configured master keys decrypts the keys of ${unreadablePeople} data subjects. Add the master key that encrypted them.`,
    );
  if (others.length === 0) lines.push('No other master key is configured.');
  else
    lines.push(
      `${others.join(', ')} ${others.length === 1 ? 'is' : 'are'} no longer needed. Remove ${others.length === 1 ? 'it' : 'them'} once every instance encrypts with ${current}.`,
    );
  return lines.join('\n');
}

export const secretCommands: readonly AdminCommand[] = [
  adminCommand({
    name: 'secrets.rotate',
    about: 'Encrypt all stored secrets again with the first master key.',
    options: { after },
    async run({ storedLog, secretBox, sealingKeys, commands, proofs, people }, { after }): Promise<Part> {
      const parts = { log: storedLog, secretBox, keys: sealingKeys, commands };
      const { current, others } = sealingKeys;
      const part = await rotateSecrets(parts, after);
      if (!part.end) return { ...part, current, others, unreadablePeople: 0 };
      // The subject keys and the signing key of tree heads are encrypted with it, too.
      const keys = (await people?.reseal()) ?? { resealed: 0, unreadable: 0 };
      await proofs.open();
      const signing = await proofs.keys.reseal();
      return {
        ...part,
        ...{ current, others, unreadablePeople: keys.unreadable },
        resealed: part.resealed + signing.resealed + keys.resealed,
        unreadable: [...part.unreadable, ...signing.unreadable],
      };
    },
    follow: follow as never,
    text: text as never,
  }),
];
