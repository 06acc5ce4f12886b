/** `npm run kills -- [--kills 300] [--seed N]`: kills the real process at random moments under load; ends with 1 where something is lost. */
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
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
let reported = 0;
process.stdout.write(`seed ${seed}\n`);
const ruins = await killAgainAndAgain(folder.path, {
  kills,
  seed,
  progress(done, { changes, carts, commands, failedCommands, ends }) {
    const line = `${done} of ${kills} kills: ${changes.acknowledged} acknowledged changes (${carts.size} carts); ${commands.run} commands, ${commands.killed} of them killed, ${commands.withoutService} without a service; ${failedCommands.length} failed, ${commands.starved.length} met a service without a processor, ${ends.length} ends of the service by itself`;
    for (; reported < failedCommands.length; reported += 1)
      process.stdout.write(`failed: ${failedCommands[reported]}\n`);
    if (process.stderr.isTTY) process.stderr.write(`\r${line}`);
    else if (done % 25 === 0) process.stderr.write(`${line}\n`);
  },
});
const { viewsEqualAFold, ...live } = invariants;
const { broken, ends, failedCommands, commands, changes } = ruins.ledger;
const found: string[] = [
  ...broken.map((answer) => `answered: ${answer}`),
  ...ends.map((end) => `the service ${end}`),
  ...failedCommands.map((failure) => `command ${failure}`),
];
for (const [name, invariant] of Object.entries(live)) {
  const wrong = await invariant(ruins.shop, ruins.ledger);
  process.stdout.write(`${wrong.length === 0 ? 'holds' : 'BROKEN'}  ${name}\n`);
  found.push(...wrong);
}
await ruins.close();
const views = viewsEqualAFold(folder.path);
process.stdout.write(`${views.length === 0 ? 'holds' : 'BROKEN'}  viewsEqualAFold\n`);
found.push(...views);
for (const one of commands.starved) process.stdout.write(`starved  ${one}\n`);
for (const one of found) process.stdout.write(`${one}\n`);
const seconds = Math.round((Date.now() - startedAt) / 1000);
process.stdout.write(
  `${changes.acknowledged} acknowledged changes; ${commands.run} commands, ${commands.killed} of them killed, ${commands.withoutService} without a service, ${commands.starved.length} with one that had no processor\n`,
);
process.stdout.write(
  `${kills} kills in ${seconds} s, seed ${seed}: ${found.length === 0 ? 'nothing was lost' : `see ${folder.path}`}\n`,
);
if (found.length === 0) folder.remove();
process.exitCode = found.length === 0 ? 0 : 1;
