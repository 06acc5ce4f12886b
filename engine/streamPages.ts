import type { EventStore, RecordedEvent } from './ports/eventStore.js';

const PAGE = 500;

/** Yields the events of a stream from its beginning, in pages that are never empty. */
export async function* streamPages(
  log: Pick<EventStore, 'readStream'>,
  stream: string,
): AsyncGenerator<readonly RecordedEvent[]> {
  for (let from = 0; ; ) {
    const page = await log.readStream(stream, { from, limit: PAGE });
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    from = page.at(-1)!.revision + 1;
  }
}

/** Yields the events of a stream one by one. */
export async function* streamEvents(
  log: Pick<EventStore, 'readStream'>,
  stream: string,
): AsyncGenerator<RecordedEvent> {
  for await (const page of streamPages(log, stream)) yield* page;
}
