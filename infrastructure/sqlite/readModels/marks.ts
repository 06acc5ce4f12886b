import type { Checkpoint } from '../../../engine/ports/documents.js';
import type { EventMark } from '../../../engine/ports/eventStore.js';
import type { Statement } from '../database.js';

/** Number of writes after which marks without a checkpoint are removed. */
const PRUNE_EVERY = 1000;

/**
 * Events of checkpoints, by position: checkpoints that are written together share one, so that it costs a write one row. A table next to
 * the checkpoints, as an earlier release may write those without marks.
 */
export function openMarks(statement: (sql: string) => Statement) {
  const put = 'INSERT INTO marks VALUES (?, ?) ON CONFLICT (position) DO UPDATE SET mark = excluded.mark';
  const find = 'SELECT mark FROM marks JOIN checkpoints USING (position) WHERE name = ?';
  const remove = 'DELETE FROM marks WHERE position = ?';
  const prune = 'DELETE FROM marks WHERE position NOT IN (SELECT position FROM checkpoints)';
  const existsSql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'marks'";
  let writes = 0;
  return {
    /** In the checkpoints' transaction, after them. */
    put(checkpoints: readonly Checkpoint[]): void {
      const seen = new Set<number>();
      for (const { position, mark } of checkpoints) {
        if (seen.has(position)) continue;
        seen.add(position);
        if (mark === undefined) statement(remove).write([position]);
        else statement(put).write([position, JSON.stringify(mark)]);
      }
      if (++writes % PRUNE_EVERY === 0) statement(prune).write();
    },
    of(names: readonly string[]): Map<string, EventMark> {
      const found = new Map<string, EventMark>();
      // A file that an earlier release made, opened for reading only.
      if (statement(existsSql).get() === undefined) return found;
      for (const name of names) {
        const [mark] = statement(find).get([name]) ?? [];
        if (mark !== undefined) found.set(name, JSON.parse(mark as string) as EventMark);
      }
      return found;
    },
  };
}
