/** Events about the names of a store, stored for ever. Rules: names.ts. */
import { defineEvents, type EventsOf, event, Id, Label, Maybe } from './storedEvents.js';

export const nameEvents = defineEvents({
  NameTaken: event('An object is about to be created or renamed.', {
    by: Id("The holder's id."),
    value: Maybe(Label('Normalized name. If absent, the holder has no name, but counts towards the limit.')),
    attempt: Id('The try that took it.'),
    instead: Maybe(Id('The attempt that the name was taken over from.')),
  }),
  NameFreed: event('The holder was deleted, was not created, or was renamed.', {
    by: Id("The holder's id."),
    value: Maybe(Label('The name that is free again; absent: all that the holder had, and its place.')),
    attempt: Id('The try that had taken it.'),
  }),
});
export type NameEvent = EventsOf<typeof nameEvents>;
