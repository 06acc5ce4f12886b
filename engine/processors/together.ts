import { type Checkpoint, type Checkpoints, type Fence, Fenced } from '../ports/documents.js';

interface Waiting {
  readonly checkpoints: readonly (Checkpoint | Fence)[];
  done(): void;
  failed(error: unknown): void;
}

/**
 * Writes without documents, which look at fences and move checkpoints, are made as one where they come in one turn of the event
 * loop, or while another is under way: shards of one processor cost no more calls than the whole, and take no more connections of
 * an engine that hangs. Where one of them is refused, each is made alone.
 */
export function together(work: Pick<Checkpoints, 'write'>): Pick<Checkpoints, 'write'> {
  let waiting: Waiting[] = [];
  let isFlushing = false;

  async function alone({ checkpoints, done, failed }: Waiting): Promise<void> {
    await work.write({}, ...checkpoints).then(done, failed);
  }

  async function write(all: readonly Waiting[]): Promise<void> {
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

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const all = waiting;
      waiting = [];
      await write(all);
    }
    isFlushing = false;
  }

  return {
    write(batches, ...checkpoints) {
      if (Object.keys(batches).length > 0) return work.write(batches, ...checkpoints);
      return new Promise((done, failed) => {
        waiting.push({ checkpoints, done, failed });
        if (isFlushing) return;
        isFlushing = true;
        setImmediate(() => void flush());
      });
    },
  };
}
