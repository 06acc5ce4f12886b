import { Format } from '../sqlite/eventStore/schema.js';
import type { Appender } from './appender.js';

/** The event that a real server writes at its first start. There is no scavenging here, so its data are empty. */
const EVENT = {
  stream: '$$$scavenges',
  /** The same in every log, so that it is written once. */
  ids: ['5b1c7a52-8a0e-4d0b-9c53-0f4d1f3f6a11'],
  types: ['$metadata'],
  data: [Buffer.from('{"$maxAge":2592000}')],
  meta: [new Uint8Array()],
  formats: [Format.json],
  expected: 'noStream',
  weight: 300,
} as const;

/**
 * Writes the one system event of this log, unless it is there. Clients take it for granted that `$all` of a server is
 * never empty.
 */
export function appendOpeningEvent(appender: Appender): Promise<void> {
  return new Promise((resolve, reject) => {
    appender.submit(EVENT, (outcome) => {
      if ('written' in outcome) resolve();
      else reject(new Error(`the log cannot be written: ${outcome.message}`));
    });
  });
}
