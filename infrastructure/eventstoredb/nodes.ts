/** The nodes of a cluster as far as they are known here: where they are, and which of them failed lately. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Passing } from './failures.js';

/** A node that can be dialled. */
export interface Address {
  /** 'host:port'. */
  readonly target: string;
  /** The name in its certificate, where `target` is one of several addresses of a name. */
  readonly name?: string;
}

/** So long a node that failed counts as one that may fail again, in ms: longer than a cluster needs for a new leader. */
const FAILED_MS = 30_000;
const RESOLVE_MS = 2_000;

export const targetOf = (host: string, port: number): string =>
  isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;

/** Resolves a name to its addresses; rejects if there are none. */
export type Resolve = (name: string) => Promise<readonly { readonly address: string }[]>;

export const resolveByDns: Resolve = (name) => lookup(name, { all: true });

/** All addresses of a name. Rejects with Passing if there are none, or the resolver does not answer in time. */
export async function addressesOf(
  { address, port }: { address: string; port: number },
  resolve: Resolve,
): Promise<readonly Address[]> {
  const itself = { target: targetOf(address, port) };
  if (isIP(address) !== 0) return [itself];
  const known = await resolved(address, resolve);
  if (known.length < 2) return [itself];
  return known.map((one) => ({ target: targetOf(one.address, port), name: address }));
}

async function resolved(name: string, resolve: Resolve) {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Passing(`the address of ${name} could not be resolved in time`)), RESOLVE_MS);
  });
  try {
    return await Promise.race([resolve(name), late]);
  } catch (error) {
    throw error instanceof Passing ? error : new Passing(`the name ${name} has no address`);
  } finally {
    clearTimeout(timer);
  }
}

/** Nodes that failed, so that they are tried last. */
export class FailedNodes {
  readonly #at = new Map<string, number>();

  add(target: string): void {
    this.#at.set(target, performance.now());
  }

  forget(target: string): void {
    this.#at.delete(target);
  }

  has(target: string): boolean {
    const at = this.#at.get(target);
    if (at !== undefined && performance.now() - at > FAILED_MS) this.#at.delete(target);
    return this.#at.has(target);
  }

  /** Those that have not failed as given, then the one first that failed longest ago. */
  last(addresses: readonly Address[]): readonly Address[] {
    const rank = ({ target }: Address): number => (this.has(target) ? this.#at.get(target)! : -1);
    return [...addresses].sort((a, b) => rank(a) - rank(b));
  }
}
