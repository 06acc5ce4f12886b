/**
 * Messages between the thread that owns the builds and the threads that fill them. Plain data, since they cross
 * threads.
 */
import type { LogPlace } from '../../ports/eventStore.js';

/** Build to fill, from its place on. */
export interface FillTask {
  readonly name: string;
  readonly physical: string;
  readonly place: LogPlace;
  /** No documents of it are stored yet. */
  readonly empty: boolean;
  readonly indexesLater: boolean;
  /** Ids of skipped events. */
  readonly skipped: readonly string[];
}

export type ToFiller =
  | { readonly fill: readonly FillTask[] }
  /** Give back about half of the builds: another thread is idle. */
  | { readonly share: true }
  /** Give this build back. */
  | { readonly leave: string }
  | { readonly stop: true };

export type FromFiller =
  /** The build is written up to `place`. `folded`: events folded since the last message of this kind. */
  | { readonly moved: string; readonly place: LogPlace; readonly folded: number }
  /**
   * The build left the thread: it is at the head, or at an event that it cannot fold. `toShare`: a response to `share`.
   */
  | { readonly back: string; readonly place: LogPlace; readonly indexesLater: boolean; readonly toShare: boolean }
  /** All builds to be shared have been given back. */
  | { readonly shared: true };

/** A thread that fills builds. */
export interface FillerThread {
  post(message: ToFiller): void;
  /** Resolves when the thread has ended. Terminates it if it does not end by itself. */
  stop(): Promise<void>;
}

/** Starts threads that fill builds. */
export interface FillerThreads {
  /** Maximum number of concurrent threads. */
  readonly most: number;
  /** `ended`: called when the thread has ended, requested or not. `number`: identifies the thread. */
  start(number: number, on: { heard(message: FromFiller): void; ended(): void }): FillerThread;
}
