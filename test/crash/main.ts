/** `npm run kills -- [--kills 300] [--seed N]`: kills the real process at random moments under load; ends with 1 where something is lost. */
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../support/serviceProcess.js';
import * as invariants from './invariants.js';
import { killAgainAndAgain } from './run.js';

const { values } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } });
const kills = Number(values.kills ?? 300);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed)) {
  process.stderr.write('--kills and --seed are whole numbers; at least one kill.\n');
  process.exit(2);
}

const folder = temporaryFolder('suuq-kills-');
const startedAt = Date.now();
process.stdout.write(`seed ${seed}\n`);
const ruins = await killAgainAndAgain(folder.path, {
  kills,
  seed,
  progress(done, { carts, moved, files, usedTokens }) {
    const line = `${done} of ${kills} kills: ${carts.size} carts, ${moved.size} moves, ${files.size} files, ${usedTokens.size} sessions`;
    if (process.stderr.isTTY) process.stderr.write(`\r${line}`);
    else if (done % 25 === 0) process.stderr.write(`${line}\n`);
  },
});
const { viewsEqualAFold, ...live } = invariants;
const found: string[] = ruins.ledger.broken.map((answer) => `answered: ${answer}`);
for (const [name, invariant] of Object.entries(live)) {
  const wrong = await invariant(ruins.shop, ruins.ledger);
  process.stdout.write(`${wrong.length === 0 ? 'holds' : 'BROKEN'}  ${name}\n`);
  found.push(...wrong);
}
await ruins.close();
const views = viewsEqualAFold(folder.path);
process.stdout.write(`${views.length === 0 ? 'holds' : 'BROKEN'}  viewsEqualAFold\n`);
found.push(...views);
for (const one of found) process.stdout.write(`${one}\n`);
const seconds = Math.round((Date.now() - startedAt) / 1000);
process.stdout.write(
  `${kills} kills in ${seconds} s, seed ${seed}: ${found.length === 0 ? 'nothing was lost' : `see ${folder.path}`}\n`,
);
if (found.length === 0) folder.remove();
process.exitCode = found.length === 0 ? 0 : 1;
