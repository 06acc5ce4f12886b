import type { DocumentStore } from '../../../engine/ports/documents.js';
import type { EventStore } from '../../../engine/ports/eventStore.js';
import { DocumentState } from '../engines/documentState.js';
import { documentStore } from '../engines/documentStore.js';
import { eventLog } from '../engines/eventLog.js';
import { type LogState, logState } from '../engines/logState.js';
import type { Agenda, Process } from './agenda.js';
import { type Weather, wire } from './wire.js';

/** Data that survives every process: those of the servers, or the files of the only instance. */
export interface Data {
  readonly log: LogState;
  readonly views: DocumentState;
  readonly work: DocumentState;
  /** Subject keys, durable on every engine. */
  readonly vault: DocumentState;
  /** The engines are servers shared by all instances. Otherwise they are files within the process. */
  readonly shared: boolean;
}

export function data(shared: boolean): Data {
  const by = shared ? 'steps' : 'transactions';
  const [views, work, vault] = [new DocumentState(by), new DocumentState(by), new DocumentState('steps')];
  return { log: logState(), views, work, vault, shared };
}

/** Copies the data, so that a run does not change the original. */
export const copyOf = ({ log, views, work, vault, shared }: Data): Data => ({
  log: logState(log.events),
  views: views.copy(),
  work: work.copy(),
  vault: vault.copy(),
  shared,
});

export interface Connected {
  readonly eventStore: EventStore;
  readonly views: DocumentStore;
  readonly work: DocumentStore;
  readonly vault: DocumentStore;
}

/** Connects a process to the engines. */
export function connect(
  agenda: Agenda,
  weather: Weather,
  { log, views, work, vault, shared }: Data,
  from: Process,
): Connected {
  const to = (engine: string) => wire(agenda, weather, from, engine, ...(shared ? [] : [from]));
  return {
    eventStore: eventLog(log, to('log')),
    views: documentStore(views, to('views')),
    work: documentStore(work, to('work')),
    vault: documentStore(vault, to('vault')),
  };
}
