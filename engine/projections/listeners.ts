import type { Position } from '../ports/eventStore.js';
import type { Positions } from './contract.js';
import { ProgressBoard } from './progressBoard.js';
import type { Changed } from './viewChanges.js';

/** Waiters for projections, and listeners for progress and stops. */
export class Listeners {
  readonly #board = new ProgressBoard();
  readonly #progress = new Set<(positions: Positions, changed: Changed) => void>();
  readonly #halts = new Set<(names: readonly string[]) => void>();

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

  /** Resolves all waits to false. */
  close(): void {
    this.#board.close();
  }

  protected publish(positions: Positions, changed: Changed): void {
    this.#board.moved(positions);
    for (const callback of this.#progress) callback(positions, changed);
  }

  /** `names`: all stopped projections. */
  protected publishStopped(names: readonly string[]): void {
    this.#board.setStopped(names);
    for (const callback of this.#halts) callback(names);
  }
}
