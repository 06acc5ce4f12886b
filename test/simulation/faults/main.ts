/**
 * `npm run simulate:faults -- [name …] [--seeds 500] [--seconds 300] [--kind NAME]`: removes one fix at a time from a
 * copy of the project and reports the first seed that fails only without the fix (docs/internals/simulated-faults.md,
 * "Injected faults"). Patches named `*.harsh.patch` run in harsh worlds. `--kind` tries only seeds of this kind of
 * world. Exits with 1 if a patch no longer applies. The copy is of the last commit, so commit first.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '300' },
    kind: { type: 'string' },
  },
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
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const git = (...args: string[]): string => execFileSync('git', args, { cwd: copy, encoding: 'utf8', stdio: 'pipe' });

/** Options under which each file is compiled alone. */
const ALONE = [
  ...['--ignoreConfig', '--noCheck', '--noResolve', '--verbatimModuleSyntax', '--target', 'es2023', '--rootDir', '.'],
  ...['--module', 'nodenext', '--moduleResolution', 'nodenext', '--outDir', 'dist', '--types', ''],
];

/** Compiles files of the copy, without checking types: a patch may leave an unused name. */
const compile = (files: readonly string[]): void =>
  void execFileSync('node_modules/.bin/tsc', [...files, ...ALONE], { cwd: copy, stdio: 'pipe' });

const MAIN = 'dist/test/simulation/main.js';
const SEED = /^seed (\d+)/;

/** Reports the first seed that fails with one fault, and not without it. */
function found(patch: string): string {
  const harsh = patch.endsWith('.harsh.patch') ? ['--harsh'] : [];
  const kind = values.kind === undefined ? [] : ['--kind', values.kind];
  const [end, until] = [1 + Number(values.seeds), Date.now() + 1_000 * Number(values.seconds)];
  for (let from = 1; from < end; ) {
    const args = [MAIN, '--first', '--from', String(from), '--seeds', String(end - from), ...harsh, ...kind];
    const timeout = Math.max(1, until - Date.now());
    const { stdout, status } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', timeout });
    if (status === 0) break;
    const lines = stdout.split('\n');
    const at = lines.findIndex((line) => SEED.test(line));
    if (at < 0) return `not found in ${values.seconds} s`;
    const seed = SEED.exec(lines[at]!)![1]!;
    const unpatched = spawnSync(process.execPath, [MAIN, '--seed', seed, ...harsh, ...kind], {
      cwd: root,
      stdio: 'ignore',
    });
    if (unpatched.status === 0) return `${harsh.join(' ')} seed ${seed}: ${lines[at + 1]?.trim()}`.trim();
    print(`  seed ${seed} fails without the fault, too`);
    from = Number(seed) + 1;
  }
  return `not found in ${values.seeds} seeds`;
}

let outdated = 0;
execFileSync('git', ['worktree', 'add', '--quiet', '--detach', copy], { cwd: root });
try {
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
  for (const patch of patches) {
    try {
      git('apply', join(folder, patch));
    } catch {
      outdated += 1;
      print(`${nameOf(patch)}: the patch does not apply any more`);
      continue;
    }
    const files = git('diff', '--name-only').split('\n').filter(Boolean);
    compile(files);
    print(`${nameOf(patch)}: ${found(patch)}`);
    git('checkout', '--quiet', '.');
    compile(files);
  }
} finally {
  execFileSync('git', ['worktree', 'remove', '--force', copy], { cwd: root });
  rmSync(holder, { recursive: true, force: true });
}
process.exitCode = outdated === 0 ? 0 : 1;
