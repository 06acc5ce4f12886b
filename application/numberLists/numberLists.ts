/** Creating, changing and deleting number lists: what takes more than one stream. (Specification 1, 'Number lists'.) */
import { type FieldProblem, refuse } from '../../domain/decider.js';
import {
  createList,
  deleteList,
  listNames,
  nameKey,
  numberList,
  reviseList,
  type StandingList,
  standing,
} from '../../domain/numberLists/numberList.js';
import type { NumberListKind, NumberListTerms } from '../../domain/numberLists/numberListEvents.js';
import { usesList } from '../../domain/promotions/holdings.js';
import { promotion } from '../../domain/promotions/promotion.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import { holdBy, isStale, type TakeHold, takeHold, untilCurrent } from '../holding.js';
import { readPhones } from './phones.js';

/** As the API takes it. (Specification 1, 'NumberListFields'.) */
export interface NumberListFields {
  readonly name: string;
  readonly kind: NumberListKind;
  readonly minOrders?: number;
  readonly phones?: readonly string[] | null;
}

export interface ListContext {
  readonly commands: BoundCommands;
  readonly workspaceId: string;
  /** ms since 1970. */
  readonly now: number;
  /** See `Request`: the same name gives the same id when the request is repeated. */
  newId(name: string): string;
}

interface ReadFields {
  readonly terms: NumberListTerms;
  readonly phones: readonly string[];
}

/** What of the fields counts for the kind. Refuses `validation_failed` with every problem. */
async function read(fields: NumberListFields): Promise<ReadFields> {
  const { name, kind, minOrders, phones } = fields;
  const problems: FieldProblem[] = [];
  if (nameKey(name) === '') problems.push({ message: 'A list needs a name.', location: 'body.name', value: name });
  if (kind === 'past_orders' && minOrders === undefined)
    problems.push({ message: 'A list of past orders needs minOrders.', location: 'body.minOrders' });
  const sent = kind === 'uploaded' ? await readPhones(phones ?? []) : { phones: [], problems: [] };
  problems.push(...sent.problems);
  if (problems.length > 0) refuse('validation_failed', problems[0]!.message, problems);
  const terms = { name, kind, ...(kind === 'past_orders' && minOrders !== undefined && { minOrders }) };
  return { terms, phones: sent.phones };
}

/** Takes the name for a list, or finds that the list of this id has it. Refuses `name_taken`. */
async function takeName(context: ListContext, listId: string, name: string, attempt: string): Promise<void> {
  const { commands, workspaceId, now } = context;
  const value = nameKey(name);
  const holds: TakeHold['holds'] = (other) =>
    commands.query(numberList, other, (list) => {
      if (list.status === 'standing') return nameKey(list.terms.name) === value ? 'yes' : 'no';
      return list.status === 'deleted' ? 'gone' : 'no';
    });
  await takeHold(commands, listNames, { workspaceId, value, by: listId, attempt, now, holds });
}

/** Refuses `validation_failed` and `name_taken`. */
export async function createNumberList(context: ListContext, listId: string, fields: NumberListFields): Promise<void> {
  const { terms, phones } = await read(fields);
  await takeName(context, listId, terms.name, context.newId('list name'));
  await context.commands.decide(numberList, listId, createList(terms, phones));
}

/** Replaces the whole list. Refuses `not_found`, `validation_failed` and `name_taken`. */
export async function updateNumberList(context: ListContext, listId: string, fields: NumberListFields): Promise<void> {
  const { commands, workspaceId, newId } = context;
  const { terms, phones } = await read(fields);
  await untilCurrent(async (attempt) => {
    const before = await commands.query(numberList, listId, (list) => lookedAt(standing(list, workspaceId)));
    const renamed = nameKey(before.name) !== nameKey(terms.name);
    if (renamed) await takeName(context, listId, terms.name, newId(`list name ${attempt}`));
    const free = renamed ? await holdBy(commands, listNames, workspaceId, nameKey(before.name), listId) : undefined;
    await commands.decide(numberList, listId, reviseList(workspaceId, before.version, terms, phones));
    await free?.();
  });
}

/** Of a state that goes on changing. */
const lookedAt = ({ terms, version }: StandingList) => ({ name: terms.name, version });

/** Refuses `not_found`, and `promotion_in_use` while a promotion that is not deleted uses the list. */
export async function deleteNumberList(context: ListContext, listId: string): Promise<void> {
  const { commands, workspaceId, now } = context;
  const { name, users } = await commands.query(numberList, listId, (state) => {
    const list = standing(state, workspaceId);
    return { name: list.terms.name, users: [...list.users.values()] };
  });
  const holds: TakeHold['holds'] = (promotionId) => commands.query(promotion, promotionId, usesList(listId));
  const unused = new Set<string>();
  for (const hold of users) if (await isStale(hold, { holds, now })) unused.add(hold.attempt);
  await commands.decide(numberList, listId, deleteList(workspaceId, unused));
  await (await holdBy(commands, listNames, workspaceId, nameKey(name), listId))?.();
}
