import type { Words } from './words.js';

export const historyWords: Words = {
  HistoryActorBody: {
    '': 'The actor of an event.',
    type: 'Kind of the actor: `system` is the service itself or its operator.',
    id: 'Id of the member or the key; absent when the actor has none.',
  },
  HistoryEventBody: {
    '': 'An event of the store’s history, as it is stored.',
    stream: 'The object of the event: its kind and its id.',
    revision: 'Position in the history of the object, from 0.',
    type: 'Such as OrderPlaced; docs/reference/events.md has them all.',
    at: 'When it happened.',
    correlationId: 'The X-Request-Id of the request that caused it. All events that a request causes share it.',
    causationId: 'Id of the command or event that caused it; absent when unknown.',
  },
  HistoryBody: { '': 'A page of a history.', events: 'The oldest first.' },
  HistoryChangeBody: { '': 'A field that differs between two times.' },
  HistoryChangesBody: {
    '': 'Differences of an object between two times.',
    kind: 'Kind of the object.',
    changes: 'In the order of the fields; empty when nothing differs.',
  },
};
