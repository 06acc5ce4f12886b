import { Worker } from 'node:worker_threads';
import { type AudioReader, type Sound, UnreadableSound } from '../../application/ports/audioReader.js';
import type { ReadAnswer } from './audioThread.js';

/** Longest time for one file, in ms; what takes longer was made to. */
const READ_MS = 20_000;
const HEAP_MB = 64;

async function gathered(content: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > mostBytes) throw new UnreadableSound(`The file has more than ${mostBytes} bytes.`);
    chunks.push(chunk);
  }
  const whole = new Uint8Array(size);
  let place = 0;
  for (const chunk of chunks) {
    whole.set(chunk, place);
    place += chunk.length;
  }
  return whole;
}

/** Runs in its own thread: a file that occupies the library or exhausts its memory ends only that thread. */
function readApart(bytes: Uint8Array<ArrayBuffer>, timeoutMs: number, closing: AbortSignal): Promise<Sound> {
  const worker = new Worker(new URL('./audioThread.js', import.meta.url), {
    workerData: bytes.buffer,
    transferList: [bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 16 },
  });
  return new Promise<Sound>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`reading took longer than ${timeoutMs / 1000} s`)), timeoutMs);
    const ended = (): void => reject(new Error('the service is stopping'));
    closing.addEventListener('abort', ended, { once: true });
    worker.once('message', (answer: ReadAnswer) =>
      'sound' in answer ? resolve(answer.sound) : reject(new UnreadableSound(answer.unreadable)),
    );
    worker.once('error', reject);
    worker.once('exit', () => {
      clearTimeout(late);
      closing.removeEventListener('abort', ended);
      reject(new Error('the audio reader thread has ended'));
    });
  }).finally(() => worker.terminate());
}

/** Reads sound files with music-metadata, one at a time. */
export function createAudioReader({ timeoutMs = READ_MS } = {}): AudioReader {
  const closing = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  return {
    read(content, mostBytes) {
      const next = last.then(async () => {
        const bytes = await gathered(content, mostBytes);
        closing.signal.throwIfAborted();
        return readApart(bytes, timeoutMs, closing.signal);
      });
      last = next.catch(() => undefined);
      return next;
    },
    async close() {
      closing.abort(new Error('the service is stopping'));
      await last;
    },
  };
}
