/**
 * Stored for ever: that somebody was given what a store holds of a person, stream `dataExports-{workspaceId}`. Who asked is in
 * the metadata (`operator`). Add fields as optional.
 */
import type { Aggregate, Decision } from '../decider.js';
import { defineEvents, type EventsOf, event, Id, Mark, Personal, Text } from '../storedEvents.js';

// Events ---------------------------------------------------------------------------------------------------------------
export const dataExportEvents = defineEvents(
  {
    PersonDataExported: event('The operator is about to be given all that the store holds of a person.', {
      phone: Personal('phone', Text('E.164.')),
      withFiles: Mark('The bytes of the files too.'),
    }),
    MemberDataExported: event('The operator is about to be given all that the store holds of one of its people.', {
      memberId: Id(),
    }),
  },
  'each',
);
export type DataExportEvent = EventsOf<typeof dataExportEvents>;

// State and evolve -----------------------------------------------------------------------------------------------------

/** It guards nothing. */
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
