/**
 * Notices of a new head from the writing thread to threads that read. At most one is under way to each: while the reader
 * is busy, newer heads replace each other, and it hears the newest when it has taken the one before.
 */
import type { MessagePort } from 'node:worker_threads';
import { BEFORE_ALL, type Position, StoreUnavailable } from '../../../engine/ports/eventStore.js';

export class NoticeSender {
  readonly #send = new Set<(head: Position) => void>();

  /** Sends the head to this port now and whenever it has moved, until the port closes. */
  add(port: MessagePort, head: Position): void {
    let notified = BEFORE_ALL - 1;
    let newest = head;
    let underWay = false;
    const send = (): void => {
      if (underWay || newest <= notified) return;
      notified = newest;
      underWay = true;
      port.postMessage(notified);
    };
    const notify = (position: Position): void => {
      newest = position;
      send();
    };
    port.on('message', () => {
      underWay = false;
      send();
    });
    port.on('close', () => this.#send.delete(notify));
    port.unref();
    this.#send.add(notify);
    send();
  }

  publish(head: Position): void {
    for (const send of this.#send) send(head);
  }
}

/** The newest head that this thread knows of, and those who wait for the next. */
export class HeadWatch {
  #head: Position;
  #failure: Error | undefined;
  #waiting: (() => void)[] = [];

  constructor(head: Position) {
    this.#head = head;
  }

  /** The newest that was heard of: BEFORE_ALL, or as given, until the first notice. */
  get head(): Position {
    return this.#head;
  }

  /** Set once, when no further head can be heard of. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  moved(head: Position): void {
    if (head <= this.#head) return;
    this.#head = head;
    this.#wake();
  }

  fail(reason: Error): void {
    this.#failure ??= reason;
    this.#wake();
  }

  /** Calls `wake` once, when the head has moved (beyond `position`, as a rule) or the watch has failed; never at once. */
  beyond(position: Position, wake: () => void): void {
    if (this.#head > position || this.#failure !== undefined) queueMicrotask(wake);
    else this.#waiting.push(wake);
  }

  /** Keeps the watch by notices that come through a port; its end is the store's end. */
  listen(port: MessagePort): void {
    port.on('message', (head: Position) => {
      port.postMessage('taken');
      this.moved(head);
    });
    port.on('close', () => this.fail(new StoreUnavailable('the event store has ended')));
    port.unref();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
