import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';

export interface EngineWait {
  /** Longest wait for an engine that is away, in ms. */
  readonly withinMs: number;
  readonly log: Log;
}

const PAUSE_MS = 250;

/**
 * Opens a shared engine, and waits for it while it is away: with several machines, it may start after the service.
 * Rejects with StoreUnavailable, naming `what`, when it does not come in time; with anything else at once.
 */
export async function opened<T>(what: string, { withinMs, log }: EngineWait, open: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const engine = await open();
      if (attempt > 1) log.info({ engine: what }, 'the engine is there');
      return engine;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (performance.now() > deadline)
        throw new StoreUnavailable(`waited ${Math.round(withinMs / 1000)} s for ${what}: ${error.message}`, {
          cause: error,
        });
      if (attempt === 1) log.warn({ engine: what, err: error }, 'waiting for an engine');
    }
    await pause(PAUSE_MS);
  }
}
