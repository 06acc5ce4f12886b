import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectFolder } from '../../harness/service/serviceProcess.js';

/** A server in a process of its own, ended by its own id. */
export interface BareServer {
  readonly baseUrl: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const START_MS = 10_000;

function address(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no server in ${START_MS} ms`)), START_MS);
    child.stdout?.once('data', (chunk: Buffer) => {
      clearTimeout(timer);
      resolve(chunk.toString().trim());
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

export const startBareExpress = (): Promise<BareServer> => startServer('bareExpress');

export const startBareNode = (): Promise<BareServer> => startServer('bareNode');

/** `script`: of `bench/`; it writes its address first, and ends at SIGTERM. */
export async function startServer(script: string): Promise<BareServer> {
  const child = spawn(process.execPath, [join(projectFolder, `dist/bench/${script}.js`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  return {
    baseUrl: await address(child),
    pid: child.pid!,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}
