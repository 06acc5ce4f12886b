/** Stored for ever: a store's list of customer numbers, stream `numberList-{listId}`. Add fields as optional. */
import type { DomainEvent } from '../decider.js';

/** uploaded: the numbers given. past_orders: every customer with at least `minOrders` paid orders. */
export type NumberListKind = 'uploaded' | 'past_orders';

/** What is told of a list beside its numbers. `minOrders` only of past orders. */
export interface NumberListTerms {
  readonly name: string;
  readonly kind: NumberListKind;
  readonly minOrders?: number;
}

/** Only the fields that changed; null stands for 'has no value'. */
export type NumberListChanges = { readonly [F in keyof NumberListTerms]?: NumberListTerms[F] | null };

export type NumberListEvent =
  /** Numbers in E.164, each once. */
  | DomainEvent<'NumberListCreated', NumberListTerms & { phones: readonly string[] }>
  | DomainEvent<
      'NumberListRevised',
      {
        changes: NumberListChanges;
        before: NumberListChanges;
        /** Numbers that came to the list and that left it; in the list, new ones stand behind those it had. */
        added: readonly string[];
        removed: readonly string[];
      }
    >
  | DomainEvent<'NumberListDeleted', { name: string }>
  /** A promotion uses the list from now on, or is about to; `attempt` names the change of the promotion. */
  | DomainEvent<'NumberListTaken', { by: string; attempt: string }>
  | DomainEvent<'NumberListFreed', { by: string; attempt: string }>;
