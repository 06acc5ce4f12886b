/** Reports of database files that turn out to be damaged while they are used, from any thread of the process to its listeners. */
import { BroadcastChannel } from 'node:worker_threads';

export interface DamageReport {
  readonly path: string;
  /** The driver's message. */
  readonly reason: string;
}

const CHANNEL = 'suuq: damaged files';

export function reportDamage(report: DamageReport): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(report);
  channel.close();
}

/** Returns what ends the listening. A listener does not keep the process alive. */
export function listenForDamage(listener: (report: DamageReport) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = (message: unknown) => listener((message as { readonly data: DamageReport }).data);
  channel.unref();
  return () => channel.close();
}
