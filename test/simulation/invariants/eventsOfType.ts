import type { RecordedEvent } from '../../../engine/ports/eventStore.js';
import type { Data } from '../world/engines.js';

// biome-ignore lint/suspicious/noExplicitAny: data of any event; each caller names its type
export interface EventOfType<D = any> extends Pick<RecordedEvent, 'id' | 'stream' | 'meta'> {
  readonly streamId: string;
  readonly data: D;
}

/** Returns the events of one type, in order. */
export function eventsOfType<D>({ log }: Data, type: string): EventOfType<D>[] {
  return log.events
    .filter((event) => event.type === type)
    .map(({ id, stream, meta, data }) => {
      return { id, stream, meta, data: data as D, streamId: stream.slice(stream.indexOf('-') + 1) };
    });
}
