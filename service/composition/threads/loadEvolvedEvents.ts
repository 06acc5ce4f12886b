import type { EvolvedEvents } from '../../../domain/decider.js';

const NONE: EvolvedEvents = new Map();

/** Evolved events for a thread: the module's `evolvedEvents`, or none without a module. */
export async function loadEvolvedEvents(module: string | undefined): Promise<EvolvedEvents> {
  if (module === undefined) return NONE;
  return ((await import(module)) as { evolvedEvents: EvolvedEvents }).evolvedEvents;
}
