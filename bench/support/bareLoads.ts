/** The same load on the service and on the bare servers. */
import { type Load, type LoadOptions, load } from './load.js';
import type { Bare } from './report.js';
import { mustBe, type Stage } from './stage.js';

type Requested = Omit<LoadOptions, 'url' | 'pid'>;

/** Load on the service; every answer must be good. */
export async function loadOurs({ service, auth }: Stage, path: string, options: Requested = {}): Promise<Load> {
  const headers = { ...auth, ...options.headers };
  const ours = await load({ ...options, url: `${service.baseUrl}${path}`, pid: service.pid, headers });
  mustBe(`good answers of ${path}`, ours.failures === 0, ours);
  return ours;
}

/** The same on the bare servers, one after the other. */
export async function loadBare({ bare, plain }: Stage, options: Requested = {}): Promise<Bare> {
  const on = ({ baseUrl, pid }: Stage['bare']): Promise<Load> => load({ ...options, url: baseUrl, pid });
  return { express: await on(bare), plain: await on(plain) };
}
