import type { Words } from './words.js';

export const historyWords: Words = {
  HistoryActorBody: {
    '': 'Who made something happen.',
    type: 'What kind of somebody: `system` is the service itself or its operator.',
    id: 'Of the member or the key; absent where nobody has one.',
  },
  HistoryEventBody: {
    '': 'An event of the store’s history, as it is kept.',
    stream: 'What it happened to: the kind and the id of it.',
    revision: 'Its place in the history of that: 0 for the first.',
    type: 'Such as OrderPlaced; docs/events.md has them all.',
    at: 'When it happened.',
    correlationId: 'The X-Request-Id of the request that began it: all that it led to has the same.',
    causationId: 'What it follows from: a command or an event; absent where nothing is known.',
  },
  HistoryBody: { '': 'A page of a history.', events: 'The oldest first.' },
  HistoryChangeBody: { '': 'A field that is another one at the later moment.' },
  HistoryChangesBody: {
    '': 'What of a thing is another at one moment than at an earlier one.',
    kind: 'What kind of thing.',
    changes: 'In the order of the fields; empty where nothing is another.',
  },
};
