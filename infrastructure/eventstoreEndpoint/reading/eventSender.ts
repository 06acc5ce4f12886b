import type { RawEvent, RawLog } from '../../sqlite/eventStore/rawLog.js';
import { LINK_TYPE, targetOf } from './links.js';
import type { ReaderStream } from './readerStream.js';
import { eventMessage, linkMessage, sharedEventMessage, type UuidForm } from './readResponses.js';

export interface SendOptions {
  readonly form: UuidForm;
  /** True if links are followed. */
  readonly links: boolean;
}

/** Puts events on the way to one reader. */
export class EventSender {
  readonly #log: RawLog;
  readonly #reader: ReaderStream;
  readonly #options: SendOptions;
  readonly #now: () => number;

  constructor(log: RawLog, reader: ReaderStream, options: SendOptions, now: () => number) {
    this.#log = log;
    this.#reader = reader;
    this.#options = options;
    this.#now = now;
  }

  /** False: `reader.room()` comes before the next. `shared`: others are sent the same event. */
  send(event: RawEvent, shared = false): boolean {
    const { links, form } = this.#options;
    if (links && event.typeName === LINK_TYPE) return this.#sendLink(event);
    return this.#reader.write(shared ? sharedEventMessage(event, form) : eventMessage(event, form));
  }

  #sendLink(link: RawEvent): boolean {
    const { form } = this.#options;
    const target = targetOf(this.#log, link, this.#now());
    return this.#reader.write(target === 'noLink' ? eventMessage(link, form) : linkMessage(link, target, form));
  }

  /** All of these; false: the reader is gone. */
  async sendAll(events: readonly RawEvent[]): Promise<boolean> {
    for (const event of events) {
      if (!this.send(event) && !(await this.#reader.room())) return false;
    }
    return true;
  }
}
