/**
 * `npm run simulate:faults -- [name …] [--seeds 500] [--seconds 300]`: removes one fix at a time from a copy of the
 * project and reports the first failing seed (docs/internals/simulation.md, "Injected faults"). Patches named
 * `*.harsh.patch` run in harsh worlds. Exits with 1 if a patch no longer applies. The copy is of the last commit, so
 * commit first.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string', default: '500' }, seconds: { type: 'string', default: '300' } },
});
const root = process.cwd();
const folder = join(root, 'test/simulation/faults');
const all = readdirSync(folder).filter((name) => name.endsWith('.patch'));
const nameOf = (patch: string): string => basename(patch, '.patch').replace(/\.harsh$/, '');
const unknown = names.filter((name) => !all.some((patch) => nameOf(patch) === name));
if (unknown.length > 0) throw new Error(`there is no patch of ${unknown.join(', ')} in ${folder}`);
const patches = names.length === 0 ? all : all.filter((patch) => names.includes(nameOf(patch)));

const holder = mkdtempSync(join(tmpdir(), 'suuq-faults-'));
const copy = join(holder, 'copy');
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const git = (...args: string[]): string => execFileSync('git', args, { cwd: copy, encoding: 'utf8', stdio: 'pipe' });

/** Reports the first failing seed of one fault. */
function found(patch: string): string {
  // A patch may leave an unused name. The compiler reports it after writing its output.
  spawnSync('node_modules/.bin/tsc', ['-p', 'tsconfig.json', '--noUnusedLocals', 'false'], { cwd: copy });
  const harsh = patch.endsWith('.harsh.patch') ? ['--harsh'] : [];
  const args = ['dist/test/simulation/main.js', '--first', '--seeds', values.seeds, ...harsh];
  const timeout = Number(values.seconds) * 1_000;
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', timeout });
  if (status === 0) return `not found in ${values.seeds} seeds`;
  const lines = stdout.split('\n');
  const at = lines.findIndex((line) => line.startsWith('seed '));
  if (at < 0) return `not found in ${values.seconds} s`;
  return `${harsh.join(' ')} seed ${/^seed (\d+)/.exec(lines[at]!)?.[1]}: ${lines[at + 1]?.trim()}`.trim();
}

let outdated = 0;
execFileSync('git', ['worktree', 'add', '--quiet', '--detach', copy], { cwd: root });
try {
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const patch of patches) {
    git('checkout', '--quiet', '.');
    try {
      git('apply', join(folder, patch));
    } catch {
      outdated += 1;
      say(`${nameOf(patch)}: the patch does not apply any more`);
      continue;
    }
    say(`${nameOf(patch)}: ${found(patch)}`);
  }
} finally {
  execFileSync('git', ['worktree', 'remove', '--force', copy], { cwd: root });
  rmSync(holder, { recursive: true, force: true });
}
process.exitCode = outdated === 0 ? 0 : 1;
