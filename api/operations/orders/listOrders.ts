import type { MemberAccess } from '../../../application/access/principal.js';
import { knownForm, phonesOf } from '../../../application/channel/customerIdentity.js';
import { searchedAt } from '../../../application/phones.js';
import { defined } from '../../../domain/defined.js';
import type { Fulfilment as FulfilmentValue, OrderStatus as Status } from '../../../domain/orders/orderEvents.js';
import { ORDER_STATUSES } from '../../../domain/orders/orderStatus.js';
import type { Query, Scalar } from '../../../engine/ports/documents.js';
import { orderRows } from '../../../projections/orders.js';
import { listJson, operation, type Page, type RequestReads } from '../../contract/operation.js';
import { DateTime, Int64, PageQuery } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';
import { seesTeam, teamsSeen } from '../inbox/visibility.js';
import { mergedPage } from './mergedPage.js';
import { orderText } from './orderText.js';
import { Fulfilment, OrderStatus, StoreOrdersBody } from './schemas.js';

interface Filters {
  readonly status?: readonly Status[];
  readonly fulfilment?: FulfilmentValue;
  readonly checkedOut?: boolean;
  /** Every number of the customer, in E.164. */
  readonly phones?: readonly string[];
  readonly number?: number;
  readonly from?: string;
  readonly to?: string;
}

type Where = NonNullable<Query['where']>;

const NEWEST_FIRST = ['-createdAt', '-number'];
/** The checkout is where the customer chooses the fulfilment, so an order without one is one that was not checked out. */
const NOT_CHECKED_OUT: readonly Scalar[] = [null];
const CHECKED_OUT: readonly Scalar[] = ['delivery', 'pickup'];

function fulfilments({ fulfilment, checkedOut }: Filters): readonly Scalar[] {
  const all =
    checkedOut === undefined ? [...NOT_CHECKED_OUT, ...CHECKED_OUT] : checkedOut ? CHECKED_OUT : NOT_CHECKED_OUT;
  return fulfilment === undefined ? all : all.filter((one) => one === fulfilment);
}

/**
 * Created at or after `from`, before `to`. Every order has a time and a number; saying so lets the engine begin a later page
 * with one comparison.
 */
const created = ({ from, to }: Filters): Where => ({
  createdAt: { gte: from === undefined ? 0 : Date.parse(from), ...(to === undefined ? {} : { lt: Date.parse(to) }) },
  number: { gte: 1 },
});

/**
 * Conditions served by an index of `orderRows` to its last key: with a status, a fulfilment or `checkedOut`, absent
 * filters mean all values.
 */
function conditions(workspaceId: string, filters: Filters): Where {
  const { fulfilment, checkedOut, phones } = filters;
  const status = new Set(filters.status).size < ORDER_STATUSES.length ? filters.status : undefined;
  const base = {
    workspaceId,
    ...created(filters),
    ...(phones === undefined ? {} : { phone: phones.length === 1 ? phones[0]! : { in: phones } }),
  };
  if (status === undefined && fulfilment === undefined && checkedOut === undefined) return base;
  return { ...base, status: { in: status ?? ORDER_STATUSES }, fulfilment: { in: fulfilments(filters) } };
}

/** Finds the one order with this number and applies the other filters. There is no next page. */
async function byNumber(
  read: RequestReads,
  workspaceId: string,
  number: number,
  filters: Filters,
  member: MemberAccess | undefined,
): Promise<Page<unknown>> {
  const { rows } = await read.page(orderRows, { where: { workspaceId, number } });
  const { status, phones, from, to } = filters;
  return {
    rows: rows.filter(
      ({ keys }) =>
        seesTeam(member, keys.teamId) &&
        (status === undefined || status.includes(keys.status as Status)) &&
        fulfilments(filters).includes(keys.fulfilment ?? null) &&
        (phones === undefined || phones.includes(String(keys.phone))) &&
        (from === undefined || Number(keys.createdAt) >= Date.parse(from)) &&
        (to === undefined || Number(keys.createdAt) < Date.parse(to)),
    ),
  };
}

/** A member who does not see every team sees what is of its teams, or of none. */
function byFilters(
  read: RequestReads,
  where: Where,
  limit: number,
  member: MemberAccess | undefined,
): Promise<Page<unknown>> {
  return mergedPage(read, where, NEWEST_FIRST, teamsSeen(member), limit);
}

/** (Specification 1, 'Orders': query parameters of listOrders.) */
export const listOrders = operation({
  id: 'listOrders',
  route: 'GET {C}/orders',
  summary:
    'Orders of the store, newest first. Members with restricted teams see the orders of their teams and orders without a team.',
  tag: 'Orders',
  scope: 'orders:view',
  feature: 'commerce.orders',
  query: {
    status: Type.Optional(
      Type.Array(OrderStatus, { minItems: 1, description: 'Only orders in these statuses, separated by commas.' }),
    ),
    fulfilment: Type.Optional(Fulfilment),
    checkedOut: Type.Optional(
      Type.Boolean({
        description:
          'An addition to the specification: true for orders that were checked out only, false for the others only.',
      }),
    ),
    phone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'Only orders of the customer with this phone number, with its country code. Orders under previous numbers of the customer are included.',
      }),
    ),
    number: Type.Optional(Int64({ description: 'The order with this number.' })),
    from: Type.Optional(DateTime),
    to: Type.Optional(DateTime),
    ...PageQuery,
  },
  answers: { 200: StoreOrdersBody },
  problems: ['invalid_cursor'],
  async handle({ query, workspace, read, member, commands }) {
    const { workspaceId } = workspace;
    const { phone, ...others } = query as Filters & { readonly limit: number; readonly phone?: string };
    const isKnown = async (one: string) => (await knownForm(commands, workspaceId, one)).key !== undefined;
    const searched = phone === undefined ? undefined : await searchedAt('query.phone', phone, isKnown);
    const phones = searched === undefined ? undefined : await phonesOf(commands, workspaceId, searched);
    const filters = { ...others, ...defined({ phones }) };
    const page =
      filters.number === undefined
        ? await byFilters(read, conditions(workspaceId, filters), filters.limit, member)
        : await byNumber(read, workspaceId, filters.number, filters, member);
    return { status: 200, body: listJson('orders', page, { row: (row) => orderText(row, workspace) }) };
  },
});
