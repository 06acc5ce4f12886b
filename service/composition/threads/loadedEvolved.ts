import type { EvolvedEvents } from '../../../domain/decider.js';

const NONE: EvolvedEvents = new Map();

/** What a thread is told of events of before: the module's `evolvedEvents`, or nothing where none is named. */
export async function loadedEvolved(module: string | undefined): Promise<EvolvedEvents> {
  if (module === undefined) return NONE;
  return ((await import(module)) as { evolvedEvents: EvolvedEvents }).evolvedEvents;
}
