/** Server-sent events over fetch, which sends header fields, unlike EventSource. */
import { accessHeaders } from './frameAccess.js';

export interface StreamEvents {
  opened(): void;
  message(data: string, id: string): void;
  /** The answer was no stream, such as after the end of the session. */
  refused(): void;
  broken(): void;
}

/** Pause before it connects again, in ms. */
const AGAIN_MS = 1_000;
const REFUSED_MS = 2_000;

async function readAll(body: ReadableStream<Uint8Array>, message: StreamEvents['message']): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line] as const));
      const data = fields.get('data');
      if (data !== undefined) message(data.slice('data: '.length), fields.get('id')?.slice('id: '.length) ?? '');
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Follows the stream of an address, and connects again from the last id when it breaks. Returns a function that ends it. */
export function followStream(url: string, { opened, message, refused, broken }: StreamEvents): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let lastId = '';
  const once = async (): Promise<number> => {
    const headers = { ...accessHeaders(), ...(lastId && { 'Last-Event-ID': lastId }) };
    const answer = await fetch(url, { headers, signal, cache: 'no-store' });
    if (!answer.ok || answer.body === null) {
      refused();
      return REFUSED_MS;
    }
    opened();
    await readAll(answer.body, (data, id) => {
      lastId = id;
      message(data, id);
    });
    return AGAIN_MS;
  };
  void (async () => {
    while (!signal.aborted) {
      const wait = await once().catch(() => AGAIN_MS);
      if (signal.aborted) return;
      broken();
      await pause(wait, signal);
    }
  })();
  return () => ending.abort();
}
