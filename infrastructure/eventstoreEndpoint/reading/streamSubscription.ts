import type { RawEvent } from '../../sqlite/eventStore/rawLog.js';
import { TOMBSTONE_REVISION } from '../../sqlite/eventStore/schema.js';
import { streamDeleted } from '../refusal.js';
import { EventSender } from './eventSender.js';
import type { ReaderStream } from './readerStream.js';
import type { StreamSubscription } from './readRequest.js';
import { isShown, type Sight, viewStream } from './streamView.js';
import { eventsAfter, isFar, type Source, SubscriptionState } from './subscription.js';

/**
 * Follows a stream after (exclusive) a revision: its history as a read shows it, then each new event, whatever the rules of truncation are
 * by then. Rejects with a Refusal; with StreamDeleted after the tombstone.
 */
export async function followStream(source: Source, request: StreamSubscription, reader: ReaderStream): Promise<void> {
  const follow = new StreamFollow(source, request, reader);
  await follow.history();
  await follow.live();
}

class StreamFollow {
  readonly #source: Source;
  readonly #request: StreamSubscription;
  readonly #reader: ReaderStream;
  readonly #state: SubscriptionState;
  readonly #sender: EventSender;
  /** Everything of the stream up to this revision has been sent, and all of the log up to this position been looked at. */
  #after: number;
  #through: number;

  constructor(source: Source, request: StreamSubscription, reader: ReaderStream) {
    this.#source = source;
    this.#request = request;
    this.#reader = reader;
    this.#state = new SubscriptionState(reader);
    this.#sender = new EventSender(source.log, reader, request, source.now);
    this.#after = typeof request.from === 'number' ? request.from : -1;
    this.#through = source.log.head();
  }

  async history(): Promise<void> {
    const { from } = this.#request;
    let sight = from === 'end' ? 'missing' : this.#poll();
    this.#state.confirm();
    if (from === 'end') return;
    // As in EventStoreDB, nothing is sent for a missing stream before its first event.
    while (sight === 'missing' && (await this.#source.heads.beyond(this.#through, this.#reader))) sight = this.#poll();
    while (typeof sight === 'object' && sight.last > this.#after && (await this.#reader.turn())) {
      await this.#page(sight);
      if (this.#after >= sight.last) sight = this.#poll();
    }
  }

  /** Events that come while it looks are in the log beyond #through: the live part finds them. */
  #poll(): Sight {
    this.#through = this.#source.log.head();
    const sight = viewStream(this.#source.log, this.#request.stream, this.#source.now());
    if (sight === 'deleted') throw streamDeleted(this.#request.stream);
    return sight;
  }

  async #page(view: Exclude<Sight, string>): Promise<void> {
    const { log } = this.#source;
    const low = Math.max(view.first, this.#after + 1);
    const heads = log.pageOfStream('forwards', view.stream, low, view.last);
    await this.#sender.sendAll(log.events(heads).filter((event) => isShown(view, event)));
    this.#after = heads.at(-1)?.revision ?? view.last;
  }

  async live(): Promise<void> {
    while (await this.#reader.room()) {
      const { head } = this.#source.heads;
      if (this.#through >= head) {
        this.#state.caughtUp();
        if (!(await this.#source.heads.beyond(this.#through, this.#reader))) return;
      } else {
        await this.#goOn(head);
      }
    }
  }

  async #goOn(head: number): Promise<void> {
    const far = isFar(this.#through, head);
    const part = far ? undefined : this.#source.tail.next(this.#through, head);
    if (part === undefined) await this.#catchUp(far);
    else await this.#take(part.events, part.through);
  }

  async #take(events: readonly RawEvent[], through: number): Promise<void> {
    for (const event of eventsAfter(events, this.#through)) {
      if (event.streamName === this.#request.stream && event.revision > this.#after) await this.#send(event, true);
    }
    this.#through = through;
  }

  async #send(event: RawEvent, shared: boolean): Promise<void> {
    this.#after = event.revision;
    if (!this.#sender.send(event, shared) && !(await this.#reader.room())) return;
    if (event.revision === TOMBSTONE_REVISION) throw streamDeleted(this.#request.stream);
  }

  /** From the disk, since the tail begins beyond what has been looked at. */
  async #catchUp(far: boolean): Promise<void> {
    const { log } = this.#source;
    const head = log.head();
    const stream = log.streamNumber(this.#request.stream);
    const newest = stream === undefined ? -1 : log.newestRevision(stream);
    if (stream === undefined || newest <= this.#after) {
      this.#through = head;
      return;
    }
    const heads = log.pageOfStream('forwards', stream, this.#after + 1, newest);
    if (far) this.#state.fellBehind();
    for (const event of log.events(heads)) await this.#send(event, false);
    await this.#reader.turn();
  }
}
