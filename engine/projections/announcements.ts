import type { Position } from '../ports/eventStore.js';
import type { Build } from './build.js';
import type { Positions } from './contract.js';
import type { Running } from './opening.js';
import { ProgressBoard } from './progressBoard.js';
import { hasStopped } from './status.js';
import type { Changed } from './viewChanges.js';

/** Tells those who wait and those who listen how far the builds are that queries read, and which have stopped. */
export class Announcements {
  readonly #running: ReadonlyMap<string, Running>;
  readonly #board = new ProgressBoard();
  readonly #progress = new Set<(positions: Positions, changed: Changed) => void>();
  readonly #halts = new Set<(names: readonly string[]) => void>();

  constructor(running: ReadonlyMap<string, Running>) {
    this.#running = running;
  }

  waitFor(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean> {
    return this.#board.waitFor(names, position, timeoutMs);
  }

  onProgress(callback: (positions: Positions, changed: Changed) => void): () => void {
    this.#progress.add(callback);
    return () => this.#progress.delete(callback);
  }

  onStopped(callback: (names: readonly string[]) => void): () => void {
    this.#halts.add(callback);
    return () => this.#halts.delete(callback);
  }

  /** Builds that moved; those that queries do not read yet are left out. `changed`: all that they show, when absent. */
  moved(builds: readonly Build[], changed?: Changed): void {
    const moved: [string, Position][] = [];
    for (const build of builds) if (this.#isRead(build)) moved.push([build.name, build.position]);
    if (moved.length === 0 && changed === undefined) return;
    const positions = Object.fromEntries(moved);
    this.#tell(positions, changed ?? { projections: Object.keys(positions) });
  }

  /** A build was written that has not arrived. */
  wrote(build: Build): void {
    if (this.#isRead(build)) this.#tell({}, { projections: [build.name] });
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

  #isRead(build: Build): boolean {
    return this.#running.get(build.name)?.current === build;
  }

  #tell(positions: Positions, changed: Changed): void {
    this.#board.moved(positions);
    for (const callback of this.#progress) callback(positions, changed);
  }
}
