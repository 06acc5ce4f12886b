/**
 * The head of the log, stored next to it in `events.head`: written after each commit and never waited for, so it costs some microseconds. A
 * commit is on the disk before its mark. So a mark beyond the log's end proves that acknowledged events are missing, such as with a lost or
 * damaged write-ahead log. A mark that a power cut has lost or set back proves nothing.
 */
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

export interface HeadMark {
  readonly position: number;
  /** Id of the event at that position: 32 hexadecimal digits. */
  readonly id: string;
}

export const HEAD_MARK = 'events.head';
/** Always as long, so that it is replaced in one write. */
const LENGTH = 72;

const lineOf = ({ position, id }: HeadMark): string => {
  const text = `${position} ${id}`;
  return `${`${text} ${crc32(text)}`.padEnd(LENGTH - 1)}\n`;
};

/** Undefined: there is none, or it cannot be read. */
export function readHeadMark(folder: string): HeadMark | undefined {
  try {
    const text = readFileSync(join(folder, HEAD_MARK), 'latin1');
    const [position, id = ''] = text.split(' ');
    const mark = { position: Number(position), id };
    return lineOf(mark) === text ? mark : undefined;
  } catch {
    return undefined;
  }
}

export interface HeadMarker {
  /** Never throws: a log without a mark is as good as one with it. */
  set(mark: HeadMark): void;
  close(): void;
}

export function headMarker(folder: string): HeadMarker {
  let file: number | undefined;
  return {
    set(mark) {
      try {
        file ??= openSync(join(folder, HEAD_MARK), constants.O_RDWR | constants.O_CREAT, 0o600);
        writeSync(file, lineOf(mark), 0);
      } catch {
        // A disk that is full has room for it later.
      }
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
