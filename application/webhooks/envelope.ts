import type { AccessDirectory } from '../access/principal.js';
import type { RecordedEvent } from '../ports/eventStore.js';

interface EnvelopeParts {
  /** For the reference that a store's partner knows it by. */
  readonly directory: Pick<AccessDirectory, 'workspace'>;
  readonly renderData: (event: RecordedEvent) => Promise<object | undefined>;
}

/** The text that is sent, the same every time. Undefined: there is nothing to tell. (Specification 2, 'Envelope'.) */
export type Envelopes = (event: RecordedEvent, type: string) => Promise<string | undefined>;

export const envelopes =
  ({ directory, renderData }: EnvelopeParts): Envelopes =>
  async (event, type) => {
    const { workspaceId, at } = event.meta;
    const data = workspaceId === undefined ? undefined : await renderData(event);
    if (workspaceId === undefined || data === undefined) return undefined;
    const store = await directory.workspace(workspaceId);
    const partner = store?.externalRef === undefined ? {} : { partner: { storeExternalRef: store.externalRef } };
    return JSON.stringify({ id: event.id, type, createdAt: at, workspaceId, ...partner, data });
  };
