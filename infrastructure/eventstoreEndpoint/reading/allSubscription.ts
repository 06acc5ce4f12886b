import { type Scan, scanLog } from './allReading.js';
import { EventSender } from './eventSender.js';
import type { ReaderStream } from './readerStream.js';
import type { AllSubscription } from './readRequest.js';
import { checkpoint } from './readResponses.js';
import { eventsAfter, isFar, type Source, SubscriptionState } from './subscription.js';

/**
 * The log after (exclusive) a place: its history, then each event as it comes, until the reader goes. Whatever he does,
 * every event comes once and in order. Rejects with a Refusal.
 */
export async function followAll(source: Source, request: AllSubscription, reader: ReaderStream): Promise<void> {
  const state = new SubscriptionState(reader);
  const delivery = new Delivery(source, request, reader, state);
  let after = startOf(request, source.log.head());
  state.confirm();
  while (await reader.room()) {
    const head = state.live ? source.heads.head : source.log.head();
    if (after >= head) {
      state.caughtUp();
      if (!(await source.heads.beyond(after, reader))) return;
    } else {
      after = await delivery.next(after, head);
    }
  }
}

/** A place beyond the end is the end. */
function startOf({ from }: AllSubscription, head: number): number {
  if (from === 'start') return -1;
  return from === 'end' ? head : Math.min(from, head);
}

class Delivery {
  readonly #source: Source;
  readonly #request: AllSubscription;
  readonly #reader: ReaderStream;
  readonly #state: SubscriptionState;
  readonly #sender: EventSender;
  /** Events looked at since the last checkpoint. */
  #scanned = 0;

  constructor(source: Source, request: AllSubscription, reader: ReaderStream, state: SubscriptionState) {
    this.#source = source;
    this.#request = request;
    this.#reader = reader;
    this.#state = state;
    this.#sender = new EventSender(source.log, reader, request, source.now);
  }

  /** Sends the next page or part after a position; answers how far it went. */
  async next(after: number, head: number): Promise<number> {
    const { log, tail } = this.#source;
    const { filter } = this.#request;
    const far = isFar(after, head);
    if (far) this.#state.fellBehind();
    const part = far ? undefined : tail.next(after, head);
    if (part !== undefined) {
      const heads = eventsAfter(part.events, after);
      await this.#send({ heads, events: filter ? filter.select(heads, log) : heads }, true);
      return part.through;
    }
    const scan = scanLog(log, 'forwards', [after + 1, head], filter);
    await this.#send(scan, false);
    await this.#reader.turn();
    return scan.heads.at(-1)?.position ?? head;
  }

  async #send({ heads, events }: Scan, shared: boolean): Promise<void> {
    let next = 0;
    for (const { position } of heads) {
      if (events[next]?.position === position) {
        if (!this.#sender.send(events[next]!, shared) && !(await this.#reader.room())) return;
        next += 1;
      }
      if (this.#isCheckpoint() && !this.#reader.write(this.#checkpoint(position)) && !(await this.#reader.room()))
        return;
    }
  }

  #isCheckpoint(): boolean {
    this.#scanned += 1;
    if (this.#request.interval === 0 || this.#scanned < this.#request.interval) return false;
    this.#scanned = 0;
    return true;
  }

  /**
   * In the history EventStoreDB leaves the prepare position at 0: everything before the commit position was scanned, the position itself
   * not.
   */
  #checkpoint(position: number): Buffer {
    return this.#state.live ? checkpoint(position, position) : checkpoint(position + 1, 0);
  }
}
