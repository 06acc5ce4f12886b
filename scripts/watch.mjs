// Builds when a source changes, then restarts a command: node scripts/watch.mjs COMMAND [ARGUMENT…]
// `npm run dev` restarts the service in this way, `npm run test:watch` the tests. After a build that fails the command runs on.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error('Usage: node scripts/watch.mjs COMMAND [ARGUMENT…]');
  process.exit(1);
}

/** Editors and `git checkout` write several files at once. */
const SETTLE_MS = 100;
const BUILDS = [
  { folders: JSON.parse(readFileSync('tsconfig.json', 'utf8')).include, build: ['tsc', '-p', 'tsconfig.json'] },
  { folders: ['console'], build: ['vite', 'build', 'console', '--logLevel', 'warn'] },
];

let child;
let isEnding = false;

function start() {
  child = spawn(command, args, { stdio: 'inherit' });
  const started = child;
  child.on('exit', (code, signal) => {
    if (isEnding) process.exit(code ?? 0);
    if (started === child) console.log(`[watch] ended with ${signal ?? code}; waiting for a change`);
  });
}

async function stop() {
  const stopped = child;
  child = undefined;
  if (stopped.exitCode !== null || stopped.signalCode !== null) return;
  stopped.kill('SIGTERM');
  await once(stopped, 'exit');
}

async function succeeds([program, ...options]) {
  const [code] = await once(spawn(join('node_modules/.bin', program), options, { stdio: 'inherit' }), 'exit');
  return code === 0;
}

/** Builds whose sources changed since they ran. */
const due = new Set();
let wake = () => {};

for (const { folders, build } of BUILDS)
  for (const folder of folders.filter((each) => existsSync(each)))
    watch(folder, { recursive: true }, (_event, name) => {
      if (/(^|\/)(node_modules|dist|\.[^/]*)(\/|$)/.test(name ?? '')) return;
      due.add(build);
      wake();
    });

// A terminal's Ctrl-C reaches the command by itself.
process.on('SIGINT', () => {
  isEnding = true;
  if (child?.exitCode !== null || child.signalCode !== null) process.exit(0);
});
process.on('SIGTERM', () => {
  isEnding = true;
  if (child === undefined || child.exitCode !== null || !child.kill('SIGTERM')) process.exit(0);
});

start();
for (;;) {
  if (due.size === 0)
    await new Promise((resolve) => {
      wake = resolve;
    });
  await delay(SETTLE_MS);
  const builds = [...due];
  due.clear();
  let isBuilt = true;
  for (const build of builds) isBuilt = (await succeeds(build)) && isBuilt;
  if (isBuilt && due.size === 0 && !isEnding) {
    await stop();
    start();
  }
}
