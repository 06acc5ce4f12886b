import { type Checkpoint, type Checkpoints, type Fence, Fenced } from '../ports/documents.js';

interface Waiting {
  readonly checkpoints: readonly (Checkpoint | Fence)[];
  done(): void;
  failed(error: unknown): void;
}

/**
 * Writes without documents, which look at fences and move checkpoints, are made as one where they come in one turn of the event
 * loop: shards of one processor cost no more calls than the whole. Where one of them is refused, each is made alone.
 */
export function together(work: Pick<Checkpoints, 'write'>): Pick<Checkpoints, 'write'> {
  let waiting: Waiting[] = [];

  async function alone({ checkpoints, done, failed }: Waiting): Promise<void> {
    await work.write({}, ...checkpoints).then(done, failed);
  }

  async function flush(): Promise<void> {
    const all = waiting;
    waiting = [];
    if (all.length === 1) return alone(all[0]!);
    try {
      await work.write({}, ...all.flatMap(({ checkpoints }) => checkpoints));
    } catch (error) {
      if (error instanceof Fenced) await Promise.all(all.map(alone));
      else for (const { failed } of all) failed(error);
      return;
    }
    for (const { done } of all) done();
  }

  return {
    write(batches, ...checkpoints) {
      if (Object.keys(batches).length > 0) return work.write(batches, ...checkpoints);
      return new Promise((done, failed) => {
        waiting.push({ checkpoints, done, failed });
        if (waiting.length === 1) setImmediate(() => void flush());
      });
    },
  };
}
