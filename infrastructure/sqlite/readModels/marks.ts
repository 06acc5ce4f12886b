import type { Checkpoint } from '../../../engine/ports/documents.js';
import type { EventMark } from '../../../engine/ports/eventStore.js';
import type { Statement } from '../database.js';

/**
 * The events by which checkpoints can be told, in a table of their own beside the checkpoints, which an earlier release may
 * write to without them: a mark counts while the checkpoint stands where it was written, `at`.
 */
export function openMarks(statement: (sql: string) => Statement) {
  const put =
    'INSERT INTO marks VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at, mark = excluded.mark';
  const find = 'SELECT mark FROM marks JOIN checkpoints USING (name) WHERE name = ? AND at = checkpoints.position';
  const stands = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'marks'";
  return {
    put({ name, position, mark }: Checkpoint): void {
      if (mark !== undefined) statement(put).run([name, position, JSON.stringify(mark)]);
    },
    drop(name: string): void {
      statement('DELETE FROM marks WHERE name = ?').run([name]);
    },
    of(names: readonly string[]): Map<string, EventMark> {
      const found = new Map<string, EventMark>();
      // A file that an earlier release made, opened for reading only.
      if (statement(stands).get() === undefined) return found;
      for (const name of names) {
        const [mark] = statement(find).get([name]) ?? [];
        if (mark !== undefined) found.set(name, JSON.parse(mark as string) as EventMark);
      }
      return found;
    },
  };
}
