import { HISTORY_KINDS } from '../../../application/history/historySubjects.js';
import { DateTime, Int64, Named, OneOf, PageQuery } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';

/** Common fields of the history operations. */
export const aboutHistory = {
  tag: 'History',
  scope: 'history:view',
  feature: 'workspace.core',
  addition: "An addition to the specification: for a store's auditors, who see what changed, when and by whom.",
} as const;

const Text = (most: number, description: string) => Type.String({ minLength: 1, maxLength: most, description });

/** Filters of a history and of its pages. */
export const HistoryQuery = {
  from: Type.Optional(DateTime),
  to: Type.Optional(DateTime),
  type: Type.Optional(
    Type.Array(Text(100, 'Such as OrderPlaced.'), {
      minItems: 1,
      maxItems: 50,
      description: 'Only these types of events, separated by commas.',
    }),
  ),
  actor: Type.Optional(
    Text(100, 'Only events of this actor: a kind such as member or api_key, an id, or both as member:ID.'),
  ),
  correlation: Type.Optional(
    Text(200, 'Only events that this request caused, given by the X-Request-Id of its answer.'),
  ),
  ...PageQuery,
};

export const HistoryActorBody = Named(
  'HistoryActorBody',
  Type.Object({
    type: OneOf('member', 'partner_key', 'api_key', 'customer', 'system'),
    id: Type.Optional(Type.String()),
    name: Type.String({
      description: "The member's name, the key's last four characters, or another label.",
    }),
  }),
);
export const HistoryEventBody = Named(
  'HistoryEventBody',
  Type.Object({
    id: Type.String(),
    stream: Type.String(),
    revision: Int64(),
    type: Type.String(),
    at: DateTime,
    actor: HistoryActorBody,
    correlationId: Type.String(),
    causationId: Type.Optional(Type.String()),
    data: Type.Unsafe<object>({
      type: 'object',
      description: 'As docs/reference/events.md describes it; sealed values and hashes are not shown.',
    }),
  }),
);
export const HistoryBody = Named(
  'HistoryBody',
  Type.Object({ events: Type.Array(HistoryEventBody), next: Type.Optional(Type.String()) }),
);
export const HistoryChangeBody = Named(
  'HistoryChangeBody',
  Type.Object({
    path: Type.String({ description: 'Such as items[0].quantity, of the shape in which the API shows it.' }),
    was: Type.Optional(Type.Unknown({ description: 'Value at the earlier time; absent when there was none.' })),
    is: Type.Optional(Type.Unknown({ description: 'Value at the later time; absent when there is none.' })),
  }),
);
export const HistoryChangesBody = Named(
  'HistoryChangesBody',
  Type.Object({ kind: OneOf(...HISTORY_KINDS), id: Type.String(), changes: Type.Array(HistoryChangeBody) }),
);
