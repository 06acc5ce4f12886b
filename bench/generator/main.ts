/** `npm run history -- --events N [--seed TEXT] DIR`: an installation with a history, for measurements and for trying things out. */
import { parseArgs } from 'node:util';
import { makeFolder } from './write.js';

const USAGE = 'Usage: npm run history -- --events N [--seed TEXT] DIR\n';
const MOST = 50_000_000;
const FEWEST = 1_000;
/** Shops that are named, the busiest. */
const SHOWN = 3;

function requested(): { readonly events: number; readonly seed: string; readonly folder: string } | string {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { events: { type: 'string', default: '1000000' }, seed: { type: 'string', default: 'suuq' } },
    });
    const [folder, ...others] = positionals;
    const events = Number(values.events);
    if (folder === undefined || others.length > 0) return 'Name one folder.';
    if (!Number.isInteger(events) || events < FEWEST || events > MOST)
      return `--events is a whole number from ${FEWEST} to ${MOST}.`;
    return { events, seed: values.seed, folder };
  } catch (error) {
    return (error as Error).message;
  }
}

// As the service: what it makes is its owner's alone.
process.umask(0o077);
const expected = requested();
if (typeof expected === 'string') {
  process.stderr.write(`${expected}\n${USAGE}`);
  process.exit(2);
}
const { events, seed, folder } = expected;
const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => ending.abort(new Error(`Ended by ${signal}: ${folder} holds a part; remove it.`)));
const began = performance.now();
try {
  const made = await makeFolder(
    folder,
    { events, seed },
    {
      signal: ending.signal,
      report: ({ ledger, going }) => {
        const perSecond = Math.round(ledger.written / ((performance.now() - began) / 1000));
        const day = new Date(ledger.now).toISOString().slice(0, 10);
        process.stderr.write(`${ledger.written} events, ${perSecond}/s, ${day}, ${going.stories} stories\n`);
      },
    },
  );
  const reported = { ...made, workspaceIds: made.workspaceIds.slice(0, SHOWN) };
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage();
  process.stdout.write(
    `${JSON.stringify({ folder, seed, ...reported, seconds, cpuSeconds: (user + system) / 1e6 })}\n`,
  );
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
