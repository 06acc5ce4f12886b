import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import type { AccessDirectory } from '../access/principal.js';
import type { SealedText } from '../ports/personTexts.js';

/** The store that an event happened in, as its partner knows it. */
export interface StoreTold {
  readonly workspaceId: string;
  /** Only of a partner's stores. */
  readonly storeExternalRef?: string;
}

export interface Envelope {
  /** The text that is sent, the same every time. Absent where it is sealed, or was erased: then it is rendered anew. */
  readonly body?: string;
  /** The same under the key of the customer whom it tells of, until they are forgotten. */
  readonly sealed?: SealedText;
  /** Absent for a test of a partner's endpoint, which happens in no store. */
  readonly store?: StoreTold;
}

/** What an envelope says beside the store's reference. `createdAt` in RFC 3339. */
interface Content {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly workspaceId?: string | undefined;
  readonly data: object;
}

/** Every envelope is written here, tests included. (Specification 2, 'Envelope'.) */
export type WriteEnvelope = (content: Content) => Promise<Envelope & { readonly body: string }>;

/** `directory`: for the reference that a store's partner knows it by. */
export const envelopes =
  (directory: Pick<AccessDirectory, 'workspace'>): WriteEnvelope =>
  async ({ id, type, createdAt, workspaceId, data }) => {
    if (workspaceId === undefined) return { body: JSON.stringify({ id, type, createdAt, data }) };
    const storeExternalRef = (await directory.workspace(workspaceId))?.externalRef;
    const ref = storeExternalRef === undefined ? undefined : { storeExternalRef };
    const partner = ref && { partner: ref };
    return {
      body: JSON.stringify({ id, type, createdAt, workspaceId, ...partner, data }),
      store: { workspaceId, ...ref },
    };
  };

/** One of the products that an event is about, and the id of what is told of it. */
export interface OneProduct {
  readonly eventId: string;
  readonly product: string;
}

/** The envelope of what happened in a store. Undefined: there is nothing to tell. */
export type EventEnvelope = (
  event: RecordedEvent,
  type: string,
  one?: OneProduct,
) => Promise<(Envelope & { readonly body: string }) | undefined>;

/** `data` of an event's envelope; `product`: of the one product that is told. */
export type RenderData = (event: RecordedEvent, product?: string) => Promise<object | undefined>;

/** For several that are told of one event: rendered for the first. */
export function once<R>(
  envelope: (...about: Parameters<EventEnvelope>) => R,
): (...about: Parameters<EventEnvelope>) => R {
  let rendered: R | undefined;
  return (...about) => {
    rendered ??= envelope(...about);
    return rendered;
  };
}

export const eventEnvelopes =
  (write: WriteEnvelope, renderData: RenderData): EventEnvelope =>
  async (event, type, one) => {
    const { workspaceId, at } = event.meta;
    const data = workspaceId === undefined ? undefined : await renderData(event, one?.product);
    return data && write({ id: one?.eventId ?? event.id, type, createdAt: at, workspaceId, data });
  };
