/**
 * Event sourcing, independent of the shop domain: deciders, projections and processors over an event store and a
 * document store. README.md in this folder shows an example of each.
 */
export type {
  Actor,
  Aggregate,
  Decision,
  DomainEvent,
  EventMeta,
  EvolvedEvents,
  FieldProblem,
  SnapshotCodec,
  Upcaster,
} from '../domain/decider.js';
export { DomainError, refuse } from '../domain/decider.js';
export { derivedId } from '../domain/ids.js';
export {
  type CommandHandlerOptions,
  type CommandObserver,
  createCommandHandler,
  type RunningCommandHandler,
} from './commandHandler/commandHandler.js';
export type { CommandContext, CommandHandler, Decided } from './commandHandler/commands.js';
export { type PlaceInLog, placeInLog } from './logPlaces.js';
export { type Clock, type SteadyClock, steadyClock, systemClock } from './ports/clock.js';
export type {
  Checkpoint,
  Checkpoints,
  CollectionDefinition,
  Collections,
  DocumentStore,
  Documents,
  IndexDefinition,
  NewDocument,
  Query,
  Scalar,
  StoredDocument,
  WriteBatch,
} from './ports/documents.js';
export { Fenced } from './ports/documents.js';
export {
  type Appended,
  BEFORE_ALL,
  type EventData,
  type EventFilter,
  type EventMark,
  type EventStore,
  type Expected,
  LogDamaged,
  type LogPlace,
  markOf,
  PayloadTooLarge,
  type Position,
  type RecordedEvent,
  StorageFull,
  StoreUnavailable,
  type Subscriber,
  type Subscription,
  streamName,
  WrongExpectedRevision,
} from './ports/eventStore.js';
export { type Log, silentLog } from './ports/log.js';
export { forgetfulSnapshots, type Snapshot, type SnapshotStore } from './ports/snapshots.js';
export {
  type AnyProcessor,
  defineProcessor,
  type NewTask,
  type Outcome,
  type Processor,
  type ProcessorContext,
  type ProcessorMetrics,
  type ProcessorStatus,
  type Task,
} from './processors/processor.js';
export { type ProcessorAtRest, processorsAtRest } from './processors/processorStops.js';
export { createProcessorRuntime, type ProcessorRuntime, type ProcessorRuntimeParts } from './processors/runtime.js';
export {
  checkWork,
  judgeWork,
  noteOrigin,
  type Origin,
  readOrigin,
  settleWork,
  type WorkState,
} from './processors/tasks/workOrigin.js';
export { createReads, ViewBeingBuilt } from './projections/documentReads.js';
export {
  type AnyProjection,
  defineProjection,
  foldEvent,
  type Projection,
  type Seen,
  type View,
} from './projections/projection.js';
export type { Reads } from './projections/reads.js';
export {
  createProjectionRuntime,
  type ProjectionRuntime,
  type ProjectionRuntimeOptions,
} from './projections/runtime.js';
export {
  type ProcessorEventSkipped,
  type ProjectionEventSkipped,
  processorSkips,
  projectionSkips,
  type SkipEvent,
  skipProcessorEvent,
  skipProjectionEvent,
} from './skipping/skippedEvents.js';
export { NewerEvent, upcasting, upcastingReads } from './upcasting.js';
