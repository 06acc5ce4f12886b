/** The command in shells: completion, and a reader that closes the pipe early. */
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { EMBEDDED, suuqCommand, temporaryFolder } from '../../harness/service/serviceProcess.js';

const LONGEST_MS = 20_000;
const env = { ...process.env, ...EMBEDDED, SUUQ_DATA: '/nonexistent' };
const script = (shell: string): string =>
  spawnSync(process.execPath, [suuqCommand, 'completion', shell], { env, encoding: 'utf8' }).stdout;

/** Runs a shell program in a folder with the `suuq` command and its completion, and returns its output. */
function ran(shell: string, source: string, program: string, lines: readonly string[]): string {
  const place = temporaryFolder('suuq-shell-');
  writeFileSync(join(place.path, 'suuq'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(place.path, 'completion'), source);
  writeFileSync(join(place.path, 'program'), program);
  const { stdout, stderr } = spawnSync(shell, [join(place.path, 'program'), ...lines], {
    ...{ encoding: 'utf8', timeout: LONGEST_MS, cwd: place.path },
    env: { ...process.env, HOME: place.path, TERM: 'vt100', PATH: `${place.path}:${process.env.PATH}` },
  });
  place.remove();
  // bash completes files only in a terminal.
  expect(stderr.replace(/^.*compopt.*\n/gm, '')).to.equal('');
  return stdout;
}

/** Programs that print «word» for each completion, and «» after each line. */
const PROGRAMS = {
  bash: `. ./completion
for line; do
  read -ra COMP_WORDS <<<"$line"; [[ "$line" == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _suuq
  for word in "\${COMPREPLY[@]}"; do echo "«$word»"; done
  echo '«»'
done`,
  // zsh needs a pseudo-terminal that types the line and presses the completion key.
  zsh: `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PROMPT=; stty -echo; autoload -Uz compinit; compinit -u -D; source ./completion; bindkey "^I" complete-word'
zpty -w z 'compadd () { local -a got; builtin compadd -O got "$@"; print -rl -- "«"$^got"»"; builtin compadd "$@" }'
zpty -w z 'ended () { print "en""ded"; zle kill-whole-line }; zle -N ended; bindkey "^X" ended; print re""ady'
zpty -r z out '*ready*'
for line; do
  zpty -n -w z "$line"$'\\t\\C-X'
  zpty -r z out '*ended*'
  print -r -- "$out«»"
done`,
  fish: `source ./completion
for line in $argv
  complete -C $line | string replace -r '^([^\\t]*).*' '«$1»'
  echo '«»'
end`,
} as const;

/** Returns the completions of the last word of each line. */
function offers(shell: keyof typeof PROGRAMS, lines: readonly string[]): Record<string, readonly string[]> {
  const printed = ran(shell, script(shell), PROGRAMS[shell], lines);
  const found = [...printed.matchAll(/«(.*?)»/g)].map(([, word]) => word!);
  // zsh may offer a file twice, once per matching rule.
  const next = (): readonly string[] => [...new Set(found.splice(0, found.indexOf('') + 1).slice(0, -1))].sort();
  return Object.fromEntries(lines.map((line) => [line, next()]));
}

/** Expected completions by typed line. */
const OFFERED: Readonly<Record<string, readonly string[]>> = {
  'suuq do': ['doctor'],
  'suuq admin keys ': ['create', 'list', 'revoke'],
  'suuq trigger order.p': ['order.paid', 'order.payment_failed'],
  'suuq trigger order.paid --st': ['--store'],
  'suuq history order 0190 --di': ['--diff'],
  'suuq api listOrders': ['listOrders'],
  'suuq open d': ['docs'],
  'suuq console l': ['link'],
  'suuq help ad': ['admin'],
  'suuq admin keys create --mo': ['--mode'],
  'suuq admin keys create --f': [],
  'suuq admin keys create --mode ': ['live', 'test'],
  'suuq export out --format p': ['parquet'],
};

describe('completion in a shell', () => {
  for (const shell of ['bash', 'zsh', 'fish'] as const)
    it(`offers words, options and values in ${shell}`, function () {
      if (spawnSync(shell, ['--version']).error !== undefined) {
        this.test!.title += ` (no ${shell} here)`;
        return this.skip();
      }
      // bash completes file names only in a terminal, and this program has none.
      const expected = { ...OFFERED, 'suuq restore comp': shell === 'bash' ? [] : ['completion'] };
      expect(offers(shell, Object.keys(expected))).to.deep.equal(expected);
    });
});

describe('output into a closed pipe', () => {
  it('ends without an error', async () => {
    const child = spawn(process.execPath, [suuqCommand, 'completion', 'bash'], { env });
    child.stdout.destroy();
    let text = '';
    child.stderr.on('data', (chunk) => (text += chunk));
    const status = await new Promise((resolve) => child.once('close', resolve));
    expect([status, text]).to.deep.equal([0, '']);
  });
});
