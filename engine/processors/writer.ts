import type { Clock } from '../ports/clock.js';
import { type Checkpoints, Fenced } from '../ports/documents.js';
import type { Position } from '../ports/eventStore.js';
import { backOff } from './backOff.js';
import type { Gathered } from './finished.js';

interface Parts {
  readonly work: Checkpoints;
  /** The checkpoint's. */
  readonly name: string;
  readonly clock: Clock;
  /** Goes with every write, where there may be other owners. */
  readonly fence: number | undefined;
  /** There is a newer owner: nothing was written. */
  fenced(): void;
  trouble(error: unknown): void;
}

export interface Writer {
  /**
   * Writes what was gathered, with the checkpoint if it moved on; where there may be other owners, it looks at the fence in
   * any case. Tried until it stands: to go on without would be to forget. False when the work is ending or another's;
   * then the tasks will be performed again.
   */
  write(gathered: Gathered, position: Position): Promise<boolean>;
  /** The checkpoint that stands. */
  saved(): Position;
  /** From here on nothing is tried again. */
  stop(): void;
}

/** One write after another belongs to its caller. */
export function createWriter({ work, name, clock, fence, fenced, trouble }: Parts, from: Position): Writer {
  let saved = from;
  let stopped = false;
  const pauses = new Set<() => void>();

  const retryLater = (failures: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        cancel();
        pauses.delete(end);
        resolve();
      };
      const cancel = clock.at(clock.now() + backOff(failures), end);
      pauses.add(end);
    });

  /** False: it is not to be tried again. */
  async function afterFailure(error: unknown, failures: number): Promise<boolean> {
    if (error instanceof Fenced) {
      stopped = true;
      fenced();
    } else trouble(error);
    if (!stopped) await retryLater(failures);
    return !stopped;
  }

  function place(position: Position) {
    if (position > saved) return [{ name, position, ...(fence !== undefined && { fence }) }];
    return fence === undefined ? [] : [{ name, fence }];
  }

  return {
    async write(gathered, position) {
      // With other owners, also when there is nothing to write: whether there is a newer one.
      if (gathered.isEmpty && position <= saved && fence === undefined) return true;
      for (let failures = 1; ; failures++) {
        try {
          await work.write(gathered.batches(), ...place(position));
          saved = Math.max(saved, position);
          return true;
        } catch (error) {
          if (!(await afterFailure(error, failures))) return false;
        }
      }
    },
    saved: () => saved,
    stop() {
      stopped = true;
      for (const end of [...pauses]) end();
    },
  };
}
