/** Events about the names of a store, stored for ever. Rules: names.ts. */
import { defineEvents, type EventsOf, event, Id, Label, Maybe } from './storedEvents.js';

export const nameEvents = defineEvents({
  NameTaken: event('Something is about to be created, or to get another name.', {
    by: Id("The holder's id."),
    value: Maybe(
      Label('In the form in which it is compared; absent: a holder without a name, which counts all the same.'),
    ),
    attempt: Id('The try that took it.'),
    instead: Maybe(Id('The attempt that the name was taken over from.')),
  }),
  NameFreed: event('The holder is gone, was not created after all, or has another name.', {
    by: Id("The holder's id."),
    value: Maybe(Label('The name that is free again; absent: all that the holder had, and its place.')),
    attempt: Id('The try that had taken it.'),
  }),
});
export type NameEvent = EventsOf<typeof nameEvents>;
