/** The numbers that the sandbox's page offers. */
import { defined } from '../../domain/defined.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { createReads } from '../../engine/projections/documentReads.js';
import { channelNumbers } from '../../projections/channelNumbers.js';
import { stores } from '../../projections/stores.js';

/** Most numbers that the sandbox's page offers. */
const MOST_NUMBERS = 200;

/** The business numbers that the sandbox's page offers, by name: what the service has connected. */
export function sandboxNumbers(views: DocumentStore) {
  const reads = createReads(views);
  return async () => {
    const found = await reads.find(channelNumbers, { limit: MOST_NUMBERS });
    const named = await reads.getMany(
      stores,
      found.map(({ body }) => body.workspaceId),
    );
    return found.map(({ body: { workspaceId, ...number } }) => {
      const name = named.get(workspaceId)?.body.name;
      const { phoneNumberId, displayPhoneNumber, businessAccountId, catalogId } = number;
      return {
        phoneNumberId,
        displayPhoneNumber,
        businessAccountId,
        catalogId,
        ...defined({ name }),
      };
    });
  };
}
