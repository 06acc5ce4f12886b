/** The tables that a query may name: `events`, one for each type of event, one for each read model. */

import type { TSchema } from 'typebox';
import { ProductBody } from '../../api/operations/catalog/schemas.js';
import { FileBody } from '../../api/operations/files/schemas.js';
import { ConversationBody, MessageBody } from '../../api/operations/inbox/schemas.js';
import { MemberBody } from '../../api/operations/members/schemas.js';
import { NumberListBody } from '../../api/operations/numberLists/schemas.js';
import { StoreOrderBody } from '../../api/operations/orders/schemas.js';
import { StoreBody } from '../../api/operations/partners/schemas.js';
import { PromotionBody } from '../../api/operations/promotions/schemas.js';
import { TemplateBody } from '../../api/operations/templates/schemas.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { projections } from '../../projections/index.js';
import { eventStreams, storedEvents } from '../../service/composition/events.js';
import { type Column, columnsOf, snakeCase, type TakenColumn } from './columns.js';

/** Columns of every event, in the order of `events`. */
export const ENVELOPE: readonly Column[] = [
  { name: 'position', type: 'BIGINT', about: 'Position in the log. Only the order is guaranteed.' },
  { name: 'id', type: 'VARCHAR' },
  { name: 'time', type: 'TIMESTAMP', about: 'Time of the event, in UTC.' },
  { name: 'workspace_id', type: 'VARCHAR', about: "The store's workspace id, or null." },
  { name: 'partner_id', type: 'VARCHAR' },
  { name: 'area', type: 'VARCHAR', about: 'Area as in docs/reference/events.md. Null for events of other programs.' },
  { name: 'type', type: 'VARCHAR' },
  { name: 'stream', type: 'VARCHAR', about: 'Full stream name, such as `order-…`.' },
  { name: 'stream_id', type: 'VARCHAR', about: "Stream name behind the first '-', such as the order's id." },
  { name: 'revision', type: 'BIGINT', about: 'Position in the stream, from 0.' },
  { name: 'actor', type: 'VARCHAR', about: 'Actor: `type:id`, or `type` without an id.' },
  { name: 'operator', type: 'VARCHAR', about: 'Account of the operator who ran a command on the command line.' },
  { name: 'correlation', type: 'VARCHAR', about: 'Id of the request that caused it.' },
  { name: 'causation', type: 'VARCHAR', about: 'Id of the event that caused it.' },
  { name: 'data', type: 'JSON', about: 'All data of the event, upcast to the newest schema version.' },
];
const ENVELOPE_NAMES = ENVELOPE.map(({ name }) => name);

export interface EventTable {
  readonly name: string;
  readonly type: string;
  readonly about: string;
  readonly columns: readonly TakenColumn[];
}

const tableNameOf = (type: string): string => `events_${snakeCase(type)}`;

export const eventTables: readonly EventTable[] = Object.entries(storedEvents)
  .map(([type, { causedBy, data }]) => ({
    name: tableNameOf(type),
    type,
    about: causedBy,
    columns: columnsOf(data, ENVELOPE_NAMES, 'data_'),
  }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

/** Areas by category, which is a stream's name up to the first '-'. */
export const areas: ReadonlyMap<string, string> = new Map(
  eventStreams.map(({ area, stream }) => [stream.split('-', 1)[0]!, area]),
);

export interface ReadModelTable {
  readonly name: string;
  readonly projection: AnyProjection;
  /** Key columns. */
  readonly keys: readonly Column[];
  /** Fields of its documents, where the API has a shape of them. */
  readonly fields: readonly TakenColumn[];
}

/** Read models whose documents are a shape of the API, or most of one. */
const SHAPES: Readonly<Record<string, TSchema>> = {
  conversations: ConversationBody,
  files: FileBody,
  members: MemberBody,
  messages: MessageBody,
  numberLists: NumberListBody,
  orderRows: StoreOrderBody,
  orders: StoreOrderBody,
  products: ProductBody,
  promotions: PromotionBody,
  stores: StoreBody,
  templates: TemplateBody,
};

/** Columns in addition to its keys and fields. */
export const DOCUMENT: readonly Column[] = [
  { name: 'document_id', type: 'VARCHAR', about: 'Key of the document.' },
  { name: 'revision', type: 'BIGINT', about: 'Position of the newest event applied to it.' },
  { name: 'body', type: 'JSON', about: 'The whole document.' },
];

const KEY_TYPES = { text: 'VARCHAR', number: 'DOUBLE' } as const;

function readModelTable(projection: AnyProjection): ReadModelTable {
  const shape = SHAPES[projection.name];
  const own = DOCUMENT.map(({ name }) => name);
  const fields = shape === undefined ? [] : columnsOf(shape, own, 'body_');
  const known = new Set([...own, ...fields.map(({ name }) => name)].map((name) => name.toLowerCase()));
  const keys = Object.entries(projection.keys).map(([name, type]) => ({
    name: known.has(name.toLowerCase()) ? `key_${name}` : name,
    type: KEY_TYPES[type],
  }));
  return { name: snakeCase(projection.name), projection, keys, fields };
}

export const readModelTables: readonly ReadModelTable[] = projections
  .map(readModelTable)
  .sort((a, b) => (a.name < b.name ? -1 : 1));

/** Every name, for who misspelt one. */
export const tableNames: readonly string[] = [
  'events',
  ...eventTables.map(({ name }) => name),
  ...readModelTables.map(({ name }) => name),
];
