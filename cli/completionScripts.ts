/**
 * The completion scripts of the shells. All three work alike: they find the longest known row of words, then offer its continuations: a
 * value after an option that takes one, its words or arguments until they are complete, and its options.
 */
export interface PlaceOption {
  readonly name: string;
  readonly short?: string;
  readonly about: string;
  /** Value of the option: none, one of these values, a file, or free text. */
  readonly value: 'none' | 'file' | 'free' | readonly string[];
}

/** Continuations of some words: `suuq admin` is the path 'admin'. */
export interface Place {
  readonly path: string;
  /** Possible next words, or values of the first argument. */
  readonly words: readonly string[];
  /** How many arguments a command takes before only its options are left; none of a group. */
  readonly takes: number;
  /** True if its first argument is a file or a folder. */
  readonly takesFile: boolean;
  readonly options: readonly PlaceOption[];
}

const dashed = (options: readonly PlaceOption[]): string => options.map(({ name }) => `--${name}`).join(' ');

/** As cases match an option that has been typed: `admin keys create --mode`. */
const typedAs = (path: string, { name, short }: PlaceOption): string =>
  [`--${name}`, ...(short === undefined ? [] : [`-${short}`])].map((word) => `'${path} ${word}'`).join('|');

/** The cases that bash and zsh share; these texts need no quoting: words, dashes and pipes between cases. */
function cases(places: readonly Place[], offered: { values(words: string): string; files: string }) {
  const known = places.map(({ path }) => `'${path}'`).filter((path) => path !== "''");
  const at = places.map(
    ({ path, words, takes, takesFile, options }) =>
      `    '${path}') offered='${words.join(' ')}'; takes=${takes}; file=${takesFile ? 1 : 0}; flags='${dashed(options)}' ;;`,
  );
  const behind = places.flatMap(({ path, options }) =>
    options
      .filter(({ value }) => value !== 'none')
      .map((option) => {
        const { value } = option;
        const does =
          typeof value !== 'string' ? offered.values(value.join(' ')) : value === 'file' ? offered.files : '';
        return `    ${typedAs(path, option)}) ${does} return ;;`;
      }),
  );
  return { known: known.join('|'), at: at.join('\n'), behind: behind.join('\n') };
}

export function bash(places: readonly Place[]): string {
  const { known, at, behind } = cases(places, {
    values: (words) => `COMPREPLY=($(compgen -W '${words}' -- "$cur"));`,
    files: 'compopt -o default 2>/dev/null;',
  });
  return `# eval "$(suuq completion bash)", in ~/.bashrc for good
_suuq() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path="" next offered="" flags="" takes=0 file=0 i given=0
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${path:+$path }\${COMP_WORDS[i]}"
    case "$next" in
    ${known}) path="$next" ;;
    *) break ;;
    esac
  done
  case "$path" in
${at}
  esac
  case "$path \${COMP_WORDS[COMP_CWORD-1]}" in
${behind}
  esac
  for (( ; i < COMP_CWORD; i++)); do
    given=$((given + 1))
    [[ "\${COMP_WORDS[i]}" == -* ]] && given=$takes && break
  done
  if [[ "$cur" == -* ]] || ((given >= takes)); then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
  elif ((given == 0)); then
    COMPREPLY=($(compgen -W "$offered" -- "$cur"))
    ((file)) && compopt -o default 2>/dev/null
  fi
}
complete -F _suuq suuq`;
}

export function zsh(places: readonly Place[]): string {
  const { known, at, behind } = cases(places, {
    values: (words) => `compadd -- ${words};`,
    files: '_files;',
  });
  return `#compdef suuq
# eval "$(suuq completion zsh)" behind compinit, in ~/.zshrc for good; or as the file _suuq in a folder of $fpath
_suuq() {
  local at="" next offered="" flags="" i
  local -i takes=0 file=0 given=0
  for ((i = 2; i < CURRENT; i++)); do
    next="\${at:+$at }\${words[i]}"
    case "$next" in
    ${known}) at="$next" ;;
    *) break ;;
    esac
  done
  case "$at" in
${at}
  esac
  case "$at \${words[CURRENT-1]}" in
${behind}
  esac
  for (( ; i < CURRENT; i++)); do
    given=$((given + 1))
    [[ "\${words[i]}" == -* ]] && given=$takes && break
  done
  if [[ "\${words[CURRENT]}" == -* ]] || ((given >= takes)); then
    compadd -- \${=flags}
  elif ((given == 0)); then
    ((file)) && _files
    compadd -- \${=offered}
  fi
}
if [ "$funcstack[1]" = _suuq ]; then _suuq "$@"; else compdef _suuq suuq; fi`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function fishLines({ path, words, takes, takesFile, options }: Place): readonly string[] {
  const at = `-n '__suuq_at "${path}"'`;
  const first = `-n '__suuq_first "${path}" ${takes}'`;
  const taken = { none: '-f', file: '-r -F', free: '-x' };
  return [
    ...(words.length > 0 ? [`complete -c suuq ${first} -f -a '${words.join(' ')}'`] : []),
    ...(takesFile ? [`complete -c suuq ${first} -F`] : []),
    ...options.map(({ name, short, about, value }) => {
      const behind = typeof value === 'string' ? taken[value] : `-x -a '${value.join(' ')}'`;
      return `complete -c suuq ${at} -l ${name}${short === undefined ? '' : ` -s ${short}`} ${behind} -d ${quoted(about)}`;
    }),
  ];
}

export const fish = (places: readonly Place[]): string => `# suuq completion fish > ~/.config/fish/completions/suuq.fish
set -g __suuq_places ${places
  .filter(({ path }) => path !== '')
  .map(({ path }) => `'${path}'`)
  .join(' ')}
# The place, and on further lines what was typed behind it.
function __suuq_path
  set -l path
  set -l words (commandline -opc)
  set -e words[1]
  while set -q words[1]; and contains -- "$path$words[1]" $__suuq_places
    set path "$path$words[1] "
    set -e words[1]
  end
  string trim -- "$path"
  string join \\n -- $words
end
function __suuq_at
  set -l path (__suuq_path)
  test "$path[1]" = "$argv[1]"
end
function __suuq_first
  set -l path (__suuq_path)
  test "$path[1]" = "$argv[1]"; and test (count $path) -eq 1; and test $argv[2] -gt 0
end
complete -c suuq -f
${places.flatMap(fishLines).join('\n')}`;
