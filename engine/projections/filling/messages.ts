/** What is said between the thread that owns the builds and those that fill them. Plain data: it crosses threads. */
import type { LogPlace } from '../../ports/eventStore.js';

/** A build to be filled, from where it stands. */
export interface FillTask {
  readonly name: string;
  readonly physical: string;
  readonly place: LogPlace;
  /** Nothing is stored of it yet. */
  readonly empty: boolean;
  readonly indexesLater: boolean;
  /** Ids of events that it passes over. */
  readonly skipped: readonly string[];
}

export type ToFiller =
  | { readonly fill: readonly FillTask[] }
  /** Give back about half of what you have: another one has nothing to do. */
  | { readonly share: true }
  /** Give this one back. */
  | { readonly leave: string }
  | { readonly stop: true };

export type FromFiller =
  /** Written up to there; `folded`: events taken in since the last time this was said. */
  | { readonly moved: string; readonly place: LogPlace; readonly folded: number }
  /** No longer here: it stands at the head, or at an event that it cannot take in. `toShare`: it was asked for. */
  | { readonly back: string; readonly place: LogPlace; readonly indexesLater: boolean; readonly toShare: boolean }
  /** All that was to be shared has been given back. */
  | { readonly shared: true };

/** A thread that fills builds. */
export interface FillerThread {
  say(message: ToFiller): void;
  /** Resolves when it has ended; it is made to where it does not by itself. */
  stop(): Promise<void>;
}

/** Where such threads come from. */
export interface FillerThreads {
  /** At once. */
  readonly most: number;
  /** `ended`: it has, asked or not; `number` tells it from the others. */
  start(number: number, on: { heard(message: FromFiller): void; ended(): void }): FillerThread;
}
