/** Customers in an operator's command, by the stores that may know them. */

import type { Person } from '../../application/privacy/person.js';
import { PersonData } from '../../application/privacy/personData.js';
import { eachRow } from '../../engine/projections/allRows.js';
import { stores } from '../../projections/stores.js';
import { type AdminWork, aboutStore, requireStore } from './context.js';

/** Ids of the stores to search: this one, or all. Refuses `not_found`. */
export async function* searchedStores(work: AdminWork, workspaceId: string | undefined): AsyncGenerator<string> {
  if (workspaceId === undefined) {
    for await (const { id } of eachRow(work.reads, stores, {})) yield id;
    return;
  }
  await requireStore(work, workspaceId);
  yield workspaceId;
}

/** Personal data in a customer's store. */
export async function personDataOf(work: AdminWork, person: Person): Promise<PersonData> {
  const { reads, eventLog: log, deliveryLog } = work;
  const { partnerId } = await aboutStore(work, person.workspaceId);
  return new PersonData({ reads, log, work: deliveryLog, partnerId }, person);
}
