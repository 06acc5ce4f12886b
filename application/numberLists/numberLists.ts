/** Creates, changes and deletes number lists, which involves several streams. (Specification 1, 'Number lists'.) */
import { type FieldProblem, refuse } from '../../domain/decider.js';
import {
  createList,
  deleteList,
  type ExistingList,
  existingList,
  nameKey,
  numberList,
  reviseList,
} from '../../domain/numberLists/numberList.js';
import type { NumberListKind, NumberListTerms } from '../../domain/numberLists/numberListEvents.js';
import { promotion } from '../../domain/promotions/promotion.js';
import { usesList } from '../../domain/promotions/promotionNames.js';
import { isLeftOver, untilCurrent } from '../holds.js';
import type { NamesContext } from '../nameHolders.js';
import { createNamed, currentName, freeHolderOf, takeName } from '../names.js';
import { listHolders } from './listNames.js';
import { readPhones } from './phones.js';

/** Number list in the form of the API. (Specification 1, 'NumberListFields'.) */
export interface NumberListFields {
  readonly name: string;
  readonly kind: NumberListKind;
  readonly minOrders?: number;
  readonly phones?: readonly string[] | null;
}

export interface ListContext extends NamesContext {
  /** Returns the same id for the same name when the request is repeated, see `Request`. */
  newId(name: string): string;
}

interface ReadFields {
  readonly terms: NumberListTerms;
  readonly phones: readonly string[];
}

type Sent = Pick<NumberListFields, 'kind' | 'phones'> & { readonly minOrders?: number | undefined };

const minOrdersProblems = ({ kind, minOrders }: Pick<Sent, 'kind' | 'minOrders'>): FieldProblem[] =>
  kind === 'past_orders' && minOrders === undefined
    ? [{ message: 'A list of past orders requires minOrders.', location: 'body.minOrders' }]
    : [];

/** Rules of a list in a request, each with the fields that it reads. */
export const fieldRules = [
  { fields: ['kind', 'minOrders'], problems: minOrdersProblems },
  {
    fields: ['kind', 'phones'],
    problems: async ({ kind, phones }: Sent) => (kind === 'uploaded' ? (await readPhones(phones ?? [])).problems : []),
  },
];

/** Parses the fields that the kind uses. Refuses `validation_failed` with every problem. */
async function read(fields: NumberListFields): Promise<ReadFields> {
  const { name, kind, minOrders, phones } = fields;
  const problems: FieldProblem[] = [];
  if (nameKey(name) === '') problems.push({ message: 'A list needs a name.', location: 'body.name', value: name });
  problems.push(...minOrdersProblems({ kind, minOrders }));
  const sent = kind === 'uploaded' ? await readPhones(phones ?? []) : { phones: [], problems: [] };
  problems.push(...sent.problems);
  if (problems.length > 0) refuse('validation_failed', problems[0]!.message, problems);
  const terms = { name, kind, ...(kind === 'past_orders' && minOrders !== undefined && { minOrders }) };
  return { terms, phones: sent.phones };
}

/** Creates a list. Refuses `validation_failed`, `number_list_limit_reached` and `name_taken`. */
export async function createNumberList(context: ListContext, listId: string, fields: NumberListFields): Promise<void> {
  const { terms, phones } = await read(fields);
  const requested = { by: listId, value: nameKey(terms.name), attempt: context.newId('list name') };
  await createNamed(context, listHolders(context.workspaceId), requested, () =>
    context.commands.decide(numberList, listId, createList(terms, phones)),
  );
}

/** Replaces the whole list. Refuses `not_found`, `validation_failed` and `name_taken`. */
export async function updateNumberList(context: ListContext, listId: string, fields: NumberListFields): Promise<void> {
  const { commands, workspaceId, newId } = context;
  const { terms, phones } = await read(fields);
  const holders = listHolders(workspaceId);
  const value = nameKey(terms.name);
  await untilCurrent(async (attempt) => {
    const before = await commands.query(numberList, listId, (list) => summaryOf(existingList(list, workspaceId)));
    const renamed = nameKey(before.name) !== value;
    if (renamed) await takeName(context, holders, { by: listId, value, attempt: newId(`list name ${attempt}`) });
    const free = renamed ? await currentName(context, holders, nameKey(before.name), listId) : undefined;
    await commands.decide(numberList, listId, reviseList(workspaceId, before.version, terms, phones));
    await free?.();
  });
}

/** Copies fields, since the state changes in place. */
const summaryOf = ({ terms, version }: ExistingList) => ({ name: terms.name, version });

/** Deletes a list. Refuses `not_found`, and `promotion_in_use` while a promotion that is not deleted uses it. */
export async function deleteNumberList(context: ListContext, listId: string): Promise<void> {
  const { commands, workspaceId, now } = context;
  const users = await commands.query(numberList, listId, (state) => [
    ...existingList(state, workspaceId).users.values(),
  ]);
  const unused = new Set<string>();
  for (const hold of users)
    if (isLeftOver(hold, await commands.query(promotion, hold.by, usesList(listId)), now)) unused.add(hold.attempt);
  await commands.decide(numberList, listId, deleteList(workspaceId, unused));
  await freeHolderOf(context, listHolders(workspaceId), listId);
}
