/** Output of log lines that never blocks and never fails. A line that cannot be written is dropped and counted. */
import type { DestinationStream } from 'pino';
import { type Output, standardOut } from './output.js';

/** Maximum size of lines that wait for a slow reader, in characters. */
const MOST_WAITING = 1024 * 1024;

let dropped = 0;

/** Lines that this process has dropped since its start. */
export const droppedLines = (): number => dropped;

export class LogOutput implements DestinationStream {
  readonly #output: Pick<Output, 'write'>;
  #waiting = 0;
  #unreported = 0;
  /** Called with the number of dropped lines when lines are written again. */
  onRecovery: (lines: number) => void = () => {};

  constructor(output: Pick<Output, 'write'>) {
    this.#output = output;
  }

  write(line: string): void {
    if (this.#waiting + line.length > MOST_WAITING) {
      this.#drop();
      return;
    }
    this.#waiting += line.length;
    this.#output.write(line, (error) => {
      this.#waiting -= line.length;
      if (error) this.#drop();
      else this.#report();
    });
  }

  #drop(): void {
    dropped += 1;
    this.#unreported += 1;
  }

  #report(): void {
    const lines = this.#unreported;
    if (lines === 0) return;
    this.#unreported = 0;
    this.onRecovery(lines);
  }
}

/** The log of a service: on standard output. */
export function serviceOutput(): LogOutput {
  const output = standardOut();
  output.neverBlock();
  return new LogOutput(output);
}
