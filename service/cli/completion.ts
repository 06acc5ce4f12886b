/** What a shell needs to complete commands: made of the declarations, so that it asks nobody at each key. */
import { UsageError } from '../admin/declaration.js';
import type { CliCommand } from './command.js';
import { cliCommands } from './commands/index.js';
import { optionsOf } from './ownOptions.js';
import { isProcess, nextWords, OWN } from './words.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** What may come behind some words: `suuq admin` is the path 'admin'. */
interface Place {
  readonly path: string;
  readonly words: readonly string[];
}

const longOptions = (command: CliCommand): readonly string[] => [
  ...Object.keys(optionsOf(command)).map((name) => `--${name}`),
  '--help',
];

const CHOICES = /^[a-z_-]+(\|[a-z_-]+)+$/;

/** What a command's first argument may be, where that is known. */
const firstOf = async ({ arguments: [first] = [] }: CliCommand): Promise<readonly string[]> =>
  first?.values?.() ?? (first !== undefined && CHOICES.test(first.name) ? first.name.split('|') : []);

async function placesOf(): Promise<readonly Place[]> {
  const places = new Map<string, readonly string[]>();
  for (const command of cliCommands) {
    for (let count = 0; count < command.words.length; count += 1) {
      const before = command.words.slice(0, count);
      places.set(before.join(' '), nextWords(before));
    }
    places.set(command.words.join(' '), [...(await firstOf(command)), ...longOptions(command)]);
  }
  places.set('completion', SHELLS);
  places.set(
    'help',
    nextWords([]).filter((word) => !isProcess(word) && !Object.hasOwn(OWN, word)),
  );
  return [...places].map(([path, words]) => ({ path, words }));
}

/** Values that an option may have, where its usage lists them, such as live|test. */
function choices(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { options = {} } of cliCommands)
    for (const [name, { value = '' }] of Object.entries(options))
      if (CHOICES.test(value)) found.set(name, [...new Set([...(found.get(name) ?? []), ...value.split('|')])]);
  return found;
}

/** `path`: the words so far that lead somewhere. Nothing that stands here needs quoting: words and dashes alone. */
function bash(places: readonly Place[]): string {
  const cases = places.map(({ path, words }) => `    '${path}') words='${words.join(' ')}' ;;`);
  const values = [...choices()].map(
    ([name, some]) => `    --${name}) COMPREPLY=($(compgen -W '${some.join(' ')}' -- "$cur")); return ;;`,
  );
  return `# eval "$(suuq completion bash)", in ~/.bashrc for good
_suuq() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path="" words="" i
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ "\${COMP_WORDS[i]}" == -* ]] && break
    path="\${path:+$path }\${COMP_WORDS[i]}"
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _suuq suuq`;
}

function zsh(places: readonly Place[]): string {
  const cases = places.map(({ path, words }) => `    '${path}') candidates=(${words.join(' ')}) ;;`);
  const values = [...choices()].map(([name, some]) => `    --${name}) compadd -- ${some.join(' ')}; return ;;`);
  return `#compdef suuq
# eval "$(suuq completion zsh)" behind compinit, in ~/.zshrc for good
_suuq() {
  local -a candidates
  local at="" i
  case "\${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  for ((i = 2; i < CURRENT; i++)); do
    [[ "\${words[i]}" == -* ]] && break
    at="\${at:+$at }\${words[i]}"
  done
  case "$at" in
${cases.join('\n')}
    *) _files; return ;;
  esac
  compadd -- $candidates
}
compdef _suuq suuq`;
}

function fish(places: readonly Place[]): string {
  const lines = places.map(
    ({ path, words }) => `complete -c suuq -n 'test (__suuq_path) = "${path}"' -f -a '${words.join(' ')}'`,
  );
  const values = [...choices()].map(([name, some]) => `complete -c suuq -l ${name} -x -a '${some.join(' ')}'`);
  return `# suuq completion fish > ~/.config/fish/completions/suuq.fish
function __suuq_path
  set -l path
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and break
    set -a path $word
  end
  echo "$path"
end
${[...lines, ...values].join('\n')}`;
}

const SCRIPTS: Readonly<Record<Shell, (places: readonly Place[]) => string>> = { bash, zsh, fish };

/** The script for a shell. Throws UsageError. */
export async function completionFor(shell: string | undefined): Promise<string> {
  if (shell === undefined) throw new UsageError(`a shell is missing: ${SHELLS.join(', ')}`);
  const make = SHELLS.find((one) => one === shell);
  if (make === undefined) throw new UsageError(`there is no completion for '${shell}', but for ${SHELLS.join(', ')}`);
  return SCRIPTS[make](await placesOf());
}
