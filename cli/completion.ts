/** Data for the completion of commands by a shell: derived from the declarations, so that no key press starts a process. */
import { UsageError } from '../service/admin/declaration.js';
import type { CliCommand, CliOption } from './command.js';
import { cliCommands } from './commands/index.js';
import { isProcess, nextWords, OWN, PROCESSES } from './commandWords.js';
import { optionsOf } from './commonOptions.js';
import { bash, fish, type Place, type PlaceOption, zsh } from './completionScripts.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

const CHOICES = /^[a-z_-]+(\|[a-z_-]+)+$/;
const FILES = /FILE|DIR|^file$|^body$/;

const HELP: PlaceOption = { name: 'help', short: 'h', about: 'Show this help.', value: 'none' };

function expected({ value, bare }: CliOption): PlaceOption['value'] {
  if (value === undefined || bare === true) return 'none';
  if (CHOICES.test(value)) return value.split('|');
  return FILES.test(value) ? 'file' : 'free';
}

const placeOptions = (command: CliCommand): readonly PlaceOption[] => [
  ...Object.entries(optionsOf(command)).map(([name, option]) => ({
    name,
    ...(option.short !== undefined && { short: option.short }),
    about: option.about,
    value: expected(option),
  })),
  HELP,
];

/** Possible values of a command's first argument, if they are known. */
const firstOf = async ({ arguments: [first] = [] }: CliCommand): Promise<readonly string[]> =>
  first?.values?.() ?? (first !== undefined && CHOICES.test(first.name) ? first.name.split('|') : []);

const groupAt = (path: readonly string[], words = nextWords(path)): Place => ({
  ...{ path: path.join(' '), words, takes: words.length > 0 ? 1 : 0, takesFile: false, options: [HELP] },
});

async function placesOf(): Promise<readonly Place[]> {
  const places = new Map<string, Place>();
  const put = (place: Place): unknown => places.set(place.path, place);
  for (const { words } of cliCommands)
    for (let count = 0; count < words.length; count += 1) put(groupAt(words.slice(0, count)));
  for (const command of cliCommands) {
    const { words, arguments: taken = [] } = command;
    // A command may be a group besides: `suuq console`, and `suuq console link`.
    const known = [...nextWords(words), ...(await firstOf(command))];
    const takes = Math.max(taken.length, known.length > 0 ? 1 : 0);
    const takesFile = taken[0] !== undefined && FILES.test(taken[0].name);
    put({ path: words.join(' '), words: known, takes, takesFile, options: placeOptions(command) });
  }
  for (const word of Object.keys(PROCESSES)) put(groupAt([word]));
  put(groupAt(['completion'], SHELLS));
  const helped = nextWords([]).filter((word) => !isProcess(word) && !Object.hasOwn(OWN, word));
  put(groupAt(['help'], helped));
  return [...places.values()];
}

const SCRIPTS: Readonly<Record<Shell, (places: readonly Place[]) => string>> = { bash, zsh, fish };

/** The script for a shell. Throws UsageError. */
export async function completionFor(shell: string | undefined): Promise<string> {
  if (shell === undefined) throw new UsageError(`a shell is missing: ${SHELLS.join(', ')}`);
  const make = SHELLS.find((one) => one === shell);
  if (make === undefined) throw new UsageError(`unknown shell '${shell}'. Available: ${SHELLS.join(', ')}`);
  return SCRIPTS[make](await placesOf());
}
