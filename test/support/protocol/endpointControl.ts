/**
 * node endpointControl.js start|restart|stop FOLDER: runs a protocol endpoint on FOLDER/log in a separate process. Its
 * address stays the same over restarts. `start` prints the address.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const [order, folder = ''] = process.argv.slice(2);
const card = join(folder, 'control.json');
const output = join(folder, 'server.txt');
const PATIENCE_MS = 20_000;

async function until<T>(what: string, read: () => T | undefined): Promise<T> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await pause(20)) {
    const found = read();
    if (found !== undefined) return found;
  }
  throw new Error(`${what} took longer than ${PATIENCE_MS} ms`);
}

const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function start(port: number): Promise<string> {
  const server = fileURLToPath(new URL('../../../harness/engines/endpointServer.js', import.meta.url));
  writeFileSync(output, '');
  const out = openSync(output, 'a');
  const args = [server, '--folder', join(folder, 'log'), '--port', String(port)];
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', out, out] });
  child.unref();
  closeSync(out);
  const address = await until('the start', () => /127\.0\.0\.1:\d+/.exec(readFileSync(output, 'utf8'))?.[0]);
  writeFileSync(card, JSON.stringify({ pid: child.pid, port: Number(address.split(':')[1]) }));
  return address;
}

async function stop(): Promise<number> {
  const { pid, port } = JSON.parse(readFileSync(card, 'utf8')) as { pid: number; port: number };
  if (alive(pid)) process.kill(pid, 'SIGTERM');
  await until('the end', () => (alive(pid) ? undefined : true)).catch(() => process.kill(pid, 'SIGKILL'));
  return port;
}

if (order === 'start') process.stdout.write(`${await start(0)}\n`);
else if (order === 'restart') await start(await stop());
else await stop();
