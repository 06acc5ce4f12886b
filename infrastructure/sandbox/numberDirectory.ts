/** Cache of the service's business numbers: read rarely, since each message needs one. */
import type { Clock } from '../../engine/ports/clock.js';
import type { SandboxNumber } from './controlApi.js';

const AGAIN_MS = 1_000;

export interface NumberDirectory {
  /** Reads the numbers; returns the last known ones while they cannot be read. */
  all(): Promise<readonly SandboxNumber[]>;
  /** Queries unknown numbers at most once a second. */
  find(phoneNumberId: string): Promise<SandboxNumber | undefined>;
  /** Reads the cache only. */
  known(phoneNumberId: string): SandboxNumber | undefined;
}

export function createNumberDirectory(load: () => Promise<readonly SandboxNumber[]>, clock: Clock): NumberDirectory {
  let numbers = new Map<string, SandboxNumber>();
  let requestedAt = Number.NEGATIVE_INFINITY;
  async function read(): Promise<readonly SandboxNumber[]> {
    requestedAt = clock.steady.now();
    const found = await load();
    numbers = new Map(found.map((one) => [one.phoneNumberId, one]));
    return found;
  }
  return {
    async all() {
      try {
        return await read();
      } catch (error) {
        if (numbers.size === 0) throw error;
        return [...numbers.values()];
      }
    },
    async find(phoneNumberId) {
      if (!numbers.has(phoneNumberId) && clock.steady.now() >= requestedAt + AGAIN_MS) await read();
      return numbers.get(phoneNumberId);
    },
    known: (phoneNumberId) => numbers.get(phoneNumberId),
  };
}
