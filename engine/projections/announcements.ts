import type { Position } from '../ports/eventStore.js';
import type { Build } from './build.js';
import type { Positions } from './contract.js';
import type { Running } from './opening.js';
import { ProgressBoard } from './progressBoard.js';
import { hasStopped } from './status.js';

/** Tells those who wait and those who listen how far the builds are that queries read, and which have stopped. */
export class Announcements {
  readonly #running: ReadonlyMap<string, Running>;
  readonly #board = new ProgressBoard();
  readonly #progress = new Set<(positions: Positions) => void>();
  readonly #halts = new Set<(names: readonly string[]) => void>();

  constructor(running: ReadonlyMap<string, Running>) {
    this.#running = running;
  }

  waitFor(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean> {
    return this.#board.waitFor(names, position, timeoutMs);
  }

  onProgress(callback: (positions: Positions) => void): () => void {
    this.#progress.add(callback);
    return () => this.#progress.delete(callback);
  }

  onStopped(callback: (names: readonly string[]) => void): () => void {
    this.#halts.add(callback);
    return () => this.#halts.delete(callback);
  }

  /** Builds that moved; those that queries do not read yet are left out. */
  moved(builds: readonly Build[]): void {
    const moved: [string, Position][] = [];
    for (const build of builds)
      if (this.#running.get(build.name)?.current === build) moved.push([build.name, build.position]);
    if (moved.length === 0) return;
    const positions = Object.fromEntries(moved);
    this.#board.moved(positions);
    for (const callback of this.#progress) callback(positions);
  }

  /** Whether any has stopped may have changed. */
  stopped(): void {
    const stopped = [...this.#running.values()].filter(hasStopped).map(({ projection }) => projection.name);
    this.#board.setStopped(stopped);
    for (const callback of this.#halts) callback(stopped);
  }

  /** Answers false to all who wait. */
  close(): void {
    this.#board.close();
  }
}
