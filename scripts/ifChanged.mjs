// Runs a command unless its output is newer than all that it is made from: node scripts/ifChanged.mjs STAMP OUTPUT INPUT… -- COMMAND [ARGUMENT…]
// STAMP is a file that is touched after each success. The command also runs where OUTPUT or an INPUT (file or folder) is missing.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const end = process.argv.indexOf('--');
const [stamp, output, ...inputs] = process.argv.slice(2, end);
const [command, ...args] = process.argv.slice(end + 1);

const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;

/** A folder's own time changes when a file in it is removed or added. */
function* pathsOf(input) {
  yield input;
  if (!statSync(input, { throwIfNoEntry: false })?.isDirectory()) return;
  for (const name of readdirSync(input, { recursive: true })) yield join(input, name);
}

const madeAt = changedAt(stamp);
const isNewer = (path) => !(changedAt(path) <= madeAt);

if (!existsSync(output) || inputs.some((input) => [...pathsOf(input)].some(isNewer))) {
  // A change while the command runs is newer than this.
  const began = new Date();
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, '');
  utimesSync(stamp, began, began);
}
