import { setTimeout as pause } from 'node:timers/promises';
import {
  type Demo,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { type BareServer, startBareExpress, startBareNode } from './process.js';

/** A fresh service with its demo store, a bare Express, and a bare server of `node:http`. */
export interface Stage {
  readonly service: ServiceProcess;
  readonly bare: BareServer;
  readonly plain: BareServer;
  readonly demo: Demo;
  readonly folder: string;
  /** Path of the demo store's commerce operations. */
  readonly commerce: string;
  readonly auth: Record<string, string>;
  call(method: string, path: string, body?: object): Promise<{ status: number; text: string }>;
}

/** `prepare` fills the folder before the service starts on it; `env` changes its settings. */
export async function onStage<T>(
  work: (stage: Stage) => Promise<T>,
  { prepare, env }: { prepare?: (folder: string) => Promise<void>; env?: Readonly<Record<string, string>> } = {},
): Promise<T> {
  const folder = temporaryFolder();
  try {
    await prepare?.(folder.path);
  } catch (error) {
    folder.remove();
    throw error;
  }
  const bare = await startBareExpress();
  const plain = await startBareNode();
  const service = await startService(folder.path, env);
  try {
    const demo = readDemo(folder.path);
    const auth = { authorization: `Bearer ${demo.store.secretKey}` };
    const call: Stage['call'] = async (method, path, body) => {
      const answer = await fetch(`${service.baseUrl}${path}`, {
        method,
        headers: { ...auth, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, text: await answer.text() };
    };
    const commerce = `/api/v1/workspaces/${demo.store.workspaceId}/commerce`;
    return await work({ service, bare, plain, demo, folder: folder.path, commerce, auth, call });
  } finally {
    await service.stop();
    await bare.stop();
    await plain.stop();
    folder.remove();
  }
}

/** The bare servers answer these bytes from now on. */
export async function teach({ bare, plain }: Stage, bytes: string): Promise<void> {
  for (const { baseUrl } of [bare, plain]) await fetch(`${baseUrl}/answer`, { method: 'PUT', body: bytes });
}

export const product = (n: number, revision = 0): object => ({
  name: `Cotton shirt no. ${n}`,
  description: 'Soft, light and made to last: pre-washed cotton, a straight cut, and buttons that stay on.',
  imageUrls: [`https://images.example.com/shirts/${n}/front.jpg`, `https://images.example.com/shirts/${n}/back.jpg`],
  priceCents: 1500 + (n % 40) * 25 + revision,
  categoryExternalId: `C${n % 10}`,
  stock: 40,
});

export const categories = {
  categories: Array.from({ length: 10 }, (_, i) => ({ externalId: `C${i}`, name: `Category ${i}` })),
};

/** Ends the measurement when the service answered otherwise than it should: a fast wrong answer is no figure. */
export function mustBe(what: string, good: boolean, detail: unknown): void {
  if (!good) throw new Error(`${what}: ${JSON.stringify(detail)}`);
}

/**
 * Looks every `pauseMs`, so that the looking costs the measured service little. False after `seconds`: it is slow, which is a figure
 * and no fault.
 */
export async function within(seconds: number, holds: () => Promise<boolean>, pauseMs = 20): Promise<boolean> {
  const end = performance.now() + seconds * 1000;
  while (!(await holds())) {
    if (performance.now() >= end) return false;
    await pause(pauseMs);
  }
  return true;
}

/** The same for what is no figure, but comes before one: ends the measurement after `seconds`. */
export async function until(what: string, seconds: number, holds: () => Promise<boolean>, pauseMs = 20): Promise<void> {
  mustBe(what, await within(seconds, holds, pauseMs), `not within ${seconds} s`);
}
