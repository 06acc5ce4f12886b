/** The writer of the embedded log on a full disk. Its answers match what is stored, and it continues afterwards. */
import { expect } from 'chai';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import type { Db, SqlValue } from '../../infrastructure/sqlite/database.js';
import { LogWriter } from '../../infrastructure/sqlite/eventStore/logWriter.js';
import type { AppendRequest } from '../../infrastructure/sqlite/eventStore/messages.js';
import { openLog } from '../../infrastructure/sqlite/eventStore/schema.js';

const full = (): Error => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });

/** A database in which every commit fails at its end, and every read fails, while `no` returns true. */
function failing(db: Db, no: () => boolean): Db {
  const unless = <T>(work: () => T): T => {
    if (no()) throw full();
    return work();
  };
  return {
    ...db,
    prepare(sql) {
      const statement = db.prepare(sql);
      return { ...statement, all: (params?: readonly SqlValue[]) => unless(() => statement.all(params)) } as never;
    },
    transaction: (work) =>
      db.transaction(() => {
        const result = work();
        return unless(() => result);
      }),
  };
}

const append = (seq: number, stream: string, expected: AppendRequest['expected'], id: number): AppendRequest => ({
  seq,
  stream,
  expected,
  ids: [`00000000-0000-4000-8000-00000000000${id}`],
  types: ['Said'],
  data: ['{}'],
  meta: ['{"at":"2026-03-01T09:00:00.000Z"}'],
  weight: 300,
});

describe('the writer of the embedded log', () => {
  it('answers each append when the disk is full, and continues at the end of the log when there is space', () => {
    const folder = temporaryFolder('suuq-writer-');
    const db = openLog(folder.path);
    let isFull = false;
    try {
      const writer = new LogWriter(failing(db, () => isFull));
      expect(writer.commit([append(1, 'chat-1', 'noStream', 1)])).to.deep.equal([
        { seq: 1, written: true, revision: 0, position: 0, hidden: false },
      ]);
      isFull = true;
      const answers = writer.commit([append(2, 'chat-1', 0, 2), append(3, 'chat-2', 'noStream', 3)]);
      expect(answers.map((answer) => ['full' in answer && answer.full, answer.seq])).to.deep.equal([
        [true, 2],
        [true, 3],
      ]);
      expect(writer.head).to.equal(0);
      isFull = false;
      expect(writer.commit([append(4, 'chat-1', 0, 2), append(5, 'chat-2', 'noStream', 3)])).to.deep.equal([
        { seq: 4, written: true, revision: 1, position: 1, hidden: false },
        { seq: 5, written: true, revision: 0, position: 2, hidden: false },
      ]);
    } finally {
      db.close();
      folder.remove();
    }
  });
});
