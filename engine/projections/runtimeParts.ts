import type { SteadyClock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { ActiveBuilds } from './activeBuilds.js';
import type { Announcements } from './announcements.js';
import type { Landmarks } from './checking/landmarks.js';
import type { Subject } from './checking/spotCheck.js';
import type { ProjectionRuntimeOptions } from './contract.js';
import type { HandlerCheck } from './handlerCheck.js';
import type { AnyProjection } from './projection.js';
import type { ReadModel } from './readModel.js';
import type { Turns } from './turns.js';

/** Parts of the runtime that all read models share. */
export interface RuntimeParts {
  readonly options: ProjectionRuntimeOptions;
  readonly clock: SteadyClock;
  readonly log: Log;
  /** Time for which a replaced build stays available to running queries, in ms. */
  readonly graceMs: number;
  readonly landmarks: Landmarks;
  /** Read models that run here, by name. */
  readonly models: Map<string, ReadModel>;
  readonly announcements: Announcements;
  readonly handlers: HandlerCheck;
  /** Compares new builds with the log, once each. Returns true if that took time. `begunAt`: begin of the builds. */
  compare(subjects: readonly Subject[], startedAt: number): Promise<boolean>;
  /** Call it when a build has stopped at an event. */
  hasStopped(): void;
}

/** Read models of one kind: those with one owner each, or those whose shards have owners. */
export interface ModelGroup {
  readonly turns: Turns;
  readonly builds: ActiveBuilds;
  start(): Promise<void>;
  /** Finishes the write in progress. */
  stop(): Promise<void>;
  rebuild(name: string, restart: boolean): Promise<void>;
  /** Builds that serve and are compared with the log here. */
  serving(): Subject[];
  /** Returns true if this instance begins and switches the builds of the read model. */
  manages(name: string): boolean;
  /** Returns the instances that run a read model, if there are any. */
  ownerOf(projection: AnyProjection): string | undefined;
}
