/**
 * Stored for ever: exports of a person's data from a store, stream `dataExports-{workspaceId}`. The metadata name who requested it
 * (`operator`). Add fields as optional.
 */
import type { Aggregate, Decision } from '../decider.js';
import { defineEvents, type EventsOf, event, Id, Mark, Personal, Text } from '../storedEvents.js';

// Events ---------------------------------------------------------------------------------------------------------------
export const dataExportEvents = defineEvents(
  {
    PersonDataExported: event('The operator is about to export all data of a customer of the store.', {
      phone: Personal('phone', Text('E.164.')),
      withFiles: Mark('Whether the export includes the files.'),
    }),
    MemberDataExported: event('The operator is about to export all data of a member of the store.', {
      memberId: Id(),
    }),
  },
  'each',
);
export type DataExportEvent = EventsOf<typeof dataExportEvents>;

// State and evolve -----------------------------------------------------------------------------------------------------

/** No decision depends on the state. */
export const dataExports: Aggregate<null, DataExportEvent> = {
  name: 'dataExports',
  initial: () => null,
  evolve: () => null,
};

// Commands and decisions -----------------------------------------------------------------------------------------------
export interface ExportPerson {
  /** E.164. */
  readonly phone: string;
  readonly withFiles: boolean;
}

export const exportPerson =
  ({ phone, withFiles }: ExportPerson): Decision<null, DataExportEvent> =>
  () => [{ type: 'PersonDataExported', data: { phone, ...(withFiles && { withFiles }) } }];

export const exportMember =
  (memberId: string): Decision<null, DataExportEvent> =>
  () => [{ type: 'MemberDataExported', data: { memberId } }];
