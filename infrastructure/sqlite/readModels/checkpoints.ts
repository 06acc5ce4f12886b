import { type Checkpoint, type Fence, Fenced } from '../../../engine/ports/documents.js';
import { BEFORE_ALL, type EventMark, type Position } from '../../../engine/ports/eventStore.js';
import type { Statements } from '../statementCache.js';
import { openMarks } from './marks.js';

const POSITION = 'SELECT position FROM checkpoints WHERE name = ?';
const MOVE = 'INSERT INTO checkpoints VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position';
const FENCE = 'SELECT fence FROM fences WHERE name = ?';

/** The checkpoints of one file. Writes run in a transaction of the caller. */
export class EmbeddedCheckpoints {
  readonly #statement: Statements;
  readonly #marks: ReturnType<typeof openMarks>;

  constructor(statement: Statements) {
    this.#statement = statement;
    this.#marks = openMarks(statement);
  }

  positionOf(name: string): Position {
    return (this.#statement(POSITION).get([name])?.[0] as number | undefined) ?? BEFORE_ALL;
  }

  marks(names: readonly string[]): Map<string, EventMark> {
    return this.#marks.of(names);
  }

  /** Throws `Fenced` if the name has a newer owner. */
  checkFence(name: string, fence: number): void {
    const [current = 0] = (this.#statement(FENCE).get([name]) ?? []) as number[];
    if (fence < current) throw new Fenced(`'${name}' has a newer owner (${current}) than ${fence}`);
  }

  move(moved: readonly Checkpoint[]): void {
    for (const { name, position } of moved) this.#statement(MOVE).write([name, position]);
    if (moved.length > 0) this.#marks.put(moved);
  }

  /** Raises the fence of a name. Returns its position. */
  claim({ name, fence }: Fence): Position {
    this.checkFence(name, fence);
    this.#statement('INSERT OR REPLACE INTO fences VALUES (?, ?)').run([name, fence]);
    return this.positionOf(name);
  }

  drop(name: string): void {
    this.#statement('DELETE FROM checkpoints WHERE name = ?').run([name]);
  }
}
