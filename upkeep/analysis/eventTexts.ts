/** Events as text, in the newest version of their shape, of whichever engine holds the log. */
import { defined } from '../../domain/defined.js';
import type { Position, RecordedEvent } from '../../engine/ports/eventStore.js';
import type { KeyRing } from '../../engine/sealing/keyRing.js';
import { SEALED } from '../../engine/sealing/sealedData.js';
import { openedEvents } from '../../engine/sealing/sealingStore.js';
import { type EventReads, upcast } from '../../engine/upcasting.js';
import { type EventText, LogTexts, type TextPage } from '../../infrastructure/sqlite/eventStore/logTexts.js';
import { evolvedEvents } from '../../service/composition/events.js';

export type { EventText } from '../../infrastructure/sqlite/eventStore/logTexts.js';

export interface EventTexts {
  head(): Promise<Position>;
  /** The next events after (exclusive) a position, up to (inclusive) another; `types`: only these. */
  read(after: Position, upTo: Position, types?: readonly string[]): Promise<TextPage>;
}

const PAGE = 500;

/** Parsed only where an upcaster has to see it. */
function current(event: EventText): EventText {
  if (event.meta.schema === undefined && !evolvedEvents.has(event.type)) return event;
  const newest = upcast(evolvedEvents, parsed(event));
  return withContent(event, newest);
}

/** The same event with other words. */
const withContent = (
  { position, id, stream, type, revision }: EventText,
  { meta, data }: Pick<RecordedEvent, 'meta' | 'data'>,
): EventText => ({ position, id, stream, type, revision, meta, data: JSON.stringify(data) });

const SEALED_MEMBER = `"${SEALED}"`;

const parsed = (event: EventText): RecordedEvent => ({ ...event, data: JSON.parse(event.data) as object });

/** Parsed only where something is sealed in it. */
async function openedTexts({ events, includes }: TextPage, ring: KeyRing): Promise<readonly EventText[]> {
  if (includes?.(SEALED_MEMBER) === false) return events;
  const sealed = events.filter(({ data }) => data.includes(SEALED_MEMBER)).map(parsed);
  if (sealed.length === 0) return events;
  const opened = new Map((await openedEvents(sealed, ring)).map((event) => [event.position, event]));
  return events.map((event) => {
    const found = opened.get(event.position);
    return found === undefined ? event : withContent(event, found);
  });
}

/** Texts of the embedded engine. */
export function embeddedTexts(folder: string, ring: KeyRing): EventTexts & { close(): void } {
  const log = new LogTexts(folder);
  return {
    head: async () => log.head(),
    async read(after, upTo, types) {
      const page = log.read(after, upTo, types);
      return { events: (await openedTexts(page, ring)).map(current), through: page.through };
    },
    close: () => log.close(),
  };
}

/** Texts of any log, with events in their newest version. */
export const textsOf = (log: EventReads): EventTexts => ({
  head: () => log.head(),
  async read(after, upTo, types) {
    const page = await log.readAll(after, { limit: PAGE, filter: defined({ types }) });
    const events = page.events
      .filter(({ position }) => position <= upTo)
      .map(({ data, ...event }) => ({ ...event, data: JSON.stringify(data) }));
    return { events, through: Math.min(page.end ? upTo : page.through, upTo) };
  },
});
