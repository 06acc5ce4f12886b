/**
 * Only place where the runtime calls handlers of projections. Errors thrown here are caused by the event. Any other
 * error during folding is not.
 */
import type { DomainEvent } from '../../domain/decider.js';
import { messageOf } from '../messageOf.js';
import type { Handler, Seen, View } from './projection.js';

/** A handler threw. */
export class FoldFailed extends Error {
  override readonly name = 'FoldFailed';
  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
  }
}

type AnyHandler = Handler<unknown, DomainEvent>;
type Shown = View<unknown> | undefined;

/** Returns the ids of the documents that the event touches. Throws FoldFailed. */
export function touchedIds({ ids }: AnyHandler, event: Seen<DomainEvent>, own: Shown): readonly string[] {
  try {
    return ids?.(event, own) ?? [event.streamId];
  } catch (error) {
    throw new FoldFailed(error);
  }
}

/** Returns the document after the event. Throws FoldFailed. */
export function evolved(handler: AnyHandler, view: Shown, event: Seen<DomainEvent>, id: string, own: Shown): Shown {
  try {
    return handler.evolve(view, event, id, own);
  } catch (error) {
    throw new FoldFailed(error);
  }
}
