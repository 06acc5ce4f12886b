import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import type { AccessDirectory } from '../access/principal.js';
import type { SealedText } from '../ports/personTexts.js';

/** Store of an event, with its partner's reference. */
export interface StoreReference {
  readonly workspaceId: string;
  /** Only for a partner's stores. */
  readonly storeExternalRef?: string;
}

export interface Envelope {
  /** Body to send, the same for every attempt. Absent if it is sealed, or was erased and must be rendered again. */
  readonly body?: string;
  /** Body sealed under the key of its customer, until they are erased. */
  readonly sealed?: SealedText;
  /** Absent for a test of a partner's endpoint, which concerns no store. */
  readonly store?: StoreReference;
}

/** Contents of an envelope, without the store's reference. `createdAt` in RFC 3339. */
interface Content {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly workspaceId?: string | undefined;
  readonly data: object;
}

/** Writes every envelope, including tests. (Specification 2, 'Envelope'.) */
export type WriteEnvelope = (content: Content) => Promise<Envelope & { readonly body: string }>;

/** `directory`: provides the partner's reference of a store. */
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

/** One product of an event about products, and the id of the published event. */
export interface OneProduct {
  readonly eventId: string;
  readonly product: string;
}

/** Renders the envelope of a store's event. Undefined: there is nothing to publish. */
export type EventEnvelope = (
  event: RecordedEvent,
  type: string,
  one?: OneProduct,
) => Promise<(Envelope & { readonly body: string }) | undefined>;

/** Renders `data` of an event's envelope. `product`: the only product to include. */
export type RenderData = (event: RecordedEvent, product?: string) => Promise<object | undefined>;

/** Renders once for several receivers of the same event. */
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
