/** Standard output and standard error of this process. */
import { fstatSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

type Stream = NodeJS.WriteStream & { readonly fd: number };

/** Called with the error when a text was not written. */
type Done = (error?: NodeJS.ErrnoException | null) => void;

/** Pipes, sockets and terminals are written without blocking by their streams; files and devices by system calls. */
function isFile(fd: number): boolean {
  if (isatty(fd)) return false;
  try {
    const stats = fstatSync(fd);
    return !stats.isFIFO() && !stats.isSocket();
  } catch {
    return false;
  }
}

/** One of the two outputs. A failed write is passed to its caller, and never ends the process as an unhandled event. */
class Output {
  readonly #stream: Stream;
  readonly #isFile: boolean;
  #isTorn = false;

  constructor(stream: Stream) {
    this.#stream = stream;
    this.#isFile = isFile(stream.fd);
    // Each write has a callback for its own error.
    stream.on('error', () => {});
  }

  /** A terminal that is stopped (Ctrl-S) blocks the process otherwise, as Node opens terminals. */
  neverBlock(): void {
    const { _handle } = this.#stream as { _handle?: { setBlocking?(blocking: boolean): unknown } };
    if (this.#stream.isTTY) _handle?.setBlocking?.(false);
  }

  write(text: string, done: Done): void {
    if (!this.#isFile) {
      this.#stream.write(text, done);
      return;
    }
    try {
      this.#writeFile(text);
    } catch (error) {
      done(error as NodeJS.ErrnoException);
      return;
    }
    done();
  }

  /** Node's own stream takes a write for done that a full disk cut short. */
  #writeFile(text: string): void {
    let rest = Buffer.from(this.#isTorn ? `\n${text}` : text);
    while (rest.length > 0) {
      const written = writeSync(this.#stream.fd, rest);
      this.#isTorn = written < rest.length;
      rest = rest.subarray(written);
    }
  }
}

export type { Output };

let out: Output | undefined;
let err: Output | undefined;

export function standardOut(): Output {
  out ??= new Output(process.stdout);
  return out;
}

export function standardError(): Output {
  err ??= new Output(process.stderr);
  return err;
}
