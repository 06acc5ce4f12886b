/** Definition of a promotion: defaults, normal forms, and the rules that need only the promotion itself. */

import { type FieldProblem, refuse } from '../decider.js';
import { defined } from '../defined.js';
import { hasLineBreak, visibleText, withPlainDigits } from '../visibleText.js';
import type { DefinitionBefore, PromotionDefinition, PromotionKind, PromotionScope } from './promotionEvents.js';

/** Promotion in the form of the API. Money in cents, times RFC 3339. (Specification 1, 'PromotionFields'.) */
export interface PromotionFields {
  readonly name: string;
  readonly kind: PromotionKind;
  readonly scope?: PromotionScope;
  readonly productExternalIds?: readonly string[] | null;
  readonly categoryExternalIds?: readonly string[] | null;
  readonly percentOff?: number;
  readonly amountOffCents?: number;
  readonly code?: string;
  readonly numberListId?: string;
  readonly minSubtotalCents?: number;
  readonly maxPerCustomer?: number;
  readonly maxRedemptions?: number;
  readonly combinable?: boolean;
  readonly active?: boolean;
  readonly startsAt?: string;
  readonly endsAt?: string;
}

/** Applies defaults. Equal instants become equal text, repeated ids are removed, an empty code counts as none. */
export function definitionOf(fields: PromotionFields): PromotionDefinition {
  const code = fields.code?.trim();
  return {
    name: fields.name,
    kind: fields.kind,
    scope: fields.scope ?? 'all',
    productExternalIds: [...new Set(fields.productExternalIds ?? [])],
    categoryExternalIds: [...new Set(fields.categoryExternalIds ?? [])],
    ...defined({
      percentOff: fields.percentOff,
      amountOffCents: fields.amountOffCents,
      code: code === '' ? undefined : code,
      numberListId: fields.numberListId?.toLowerCase(),
      minSubtotalCents: fields.minSubtotalCents,
      maxPerCustomer: fields.maxPerCustomer,
      maxRedemptions: fields.maxRedemptions,
      combinable: fields.combinable,
    }),
    active: fields.active ?? true,
    ...defined({ startsAt: fields.startsAt && utc(fields.startsAt), endsAt: fields.endsAt && utc(fields.endsAt) }),
  };
}

/** Converts to UTC with milliseconds. A time that does not exist (a leap second) is unchanged, so that `definitionProblems` can name it. */
function utc(time: string): string {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? time : new Date(ms).toISOString();
}

/** Refuses `validation_failed` with every problem of the definition. */
export function checkDefinition(definition: PromotionDefinition): void {
  const problems = definitionProblems(definition);
  if (problems.length > 0) refuse('validation_failed', problems[0]!.message, problems);
}

/** Returns the previous values of the fields that differ. */
export function changedFields(before: PromotionDefinition, after: PromotionDefinition): DefinitionBefore {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof PromotionDefinition>;
  const differ = [...fields].filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  return Object.fromEntries(differ.map((field) => [field, before[field] ?? null]));
}

type Report = (field: string, message: string, value?: unknown) => void;

interface Rule {
  /** Fields of a request that the rule reads. */
  readonly fields: readonly (keyof PromotionFields)[];
  check(definition: PromotionDefinition, report: Report): void;
}

/** Rules that need only the promotion itself. (Specification 1, 'Promotion'.) */
const RULES: readonly Rule[] = [
  { fields: ['name'], check: nameProblems },
  { fields: ['percentOff', 'amountOffCents'], check: termsProblems },
  { fields: ['scope', 'productExternalIds', 'categoryExternalIds'], check: scopeProblems },
  { fields: ['kind', 'code', 'numberListId', 'maxPerCustomer', 'maxRedemptions'], check: kindProblems },
  { fields: ['startsAt', 'endsAt'], check: windowProblems },
];

function broken(rules: readonly Rule[], definition: PromotionDefinition): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const report: Report = (field, message, value) => {
    problems.push({ message, location: `body.${field}`, ...defined({ value }) });
  };
  for (const { check } of rules) check(definition, report);
  return problems;
}

/** Returns every problem of a promotion itself, with its location in the body. */
export const definitionProblems = (definition: PromotionDefinition): FieldProblem[] => broken(RULES, definition);

/** Same rules, one at a time, for requests in which other fields do not match their schema. */
export const fieldRules = RULES.map((rule) => ({
  fields: rule.fields,
  problems: (fields: PromotionFields): FieldProblem[] => {
    const read = Object.fromEntries(rule.fields.map((field) => [field, fields[field]]));
    return broken([rule], definitionOf(read as unknown as PromotionFields));
  },
}));

function nameProblems({ name }: PromotionDefinition, report: Report): void {
  if (visibleText(name) === '') report('name', 'A promotion needs a name.', name);
  if (hasLineBreak(name)) report('name', 'A name has no line break.', name);
}

function kindProblems(definition: PromotionDefinition, report: Report): void {
  if (definition.kind === 'flash_sale') flashSaleProblems(definition, report);
  else if (definition.kind === 'coupon') codeProblems(definition, report);
  else if (definition.kind === 'number_list') numberListProblems(definition, report);
}

function termsProblems({ percentOff, amountOffCents }: PromotionDefinition, report: Report): void {
  if (percentOff === undefined && amountOffCents === undefined)
    report('percentOff', 'A promotion needs percentOff or amountOffCents.');
  if (percentOff !== undefined && amountOffCents !== undefined)
    report('amountOffCents', 'A promotion has percentOff or amountOffCents, not both.', amountOffCents);
}

function scopeProblems({ scope, productExternalIds, categoryExternalIds }: PromotionDefinition, report: Report): void {
  if (scope === 'products' && productExternalIds.length === 0)
    report('productExternalIds', 'A promotion for products requires at least one product.');
  if (scope === 'categories' && categoryExternalIds.length === 0)
    report('categoryExternalIds', 'A promotion for categories requires at least one category.');
}

/** Refuses conditions that a flash sale cannot enforce, since the store would give away more than it intended. */
function flashSaleProblems(definition: PromotionDefinition, report: Report): void {
  const why = 'A flash sale applies to all customers, so it cannot have this condition.';
  for (const field of ['code', 'numberListId', 'maxPerCustomer', 'maxRedemptions'] as const)
    if (definition[field] !== undefined) report(field, why, definition[field]);
}

function codeProblems({ code }: PromotionDefinition, report: Report): void {
  if (code === undefined) report('code', 'A coupon needs a code.');
  else if (codeKey(code) === '') report('code', 'The code has no visible characters.', code);
  else if (hasLineBreak(code)) report('code', 'A code has no line break.', code);
}

function numberListProblems({ numberListId, code }: PromotionDefinition, report: Report): void {
  if (numberListId === undefined) report('numberListId', 'A promotion for a number list requires the list.');
  if (code !== undefined) report('code', 'Only a coupon can have a code. A coupon can have a number list.', code);
}

function windowProblems({ startsAt, endsAt }: PromotionDefinition, report: Report): void {
  const times = Object.entries({ startsAt, endsAt });
  const unreadable = times.filter(([, time]) => time !== undefined && Number.isNaN(Date.parse(time)));
  for (const [field, time] of unreadable) report(field, 'The time does not exist.', time);
  if (unreadable.length > 0 || startsAt === undefined || endsAt === undefined) return;
  if (Date.parse(endsAt) <= Date.parse(startsAt)) report('endsAt', 'The promotion must end after it starts.', endsAt);
}

/**
 * Normalizes a code for comparing: without case, outer spaces, ways to write a letter or a digit, and invisible characters. (Specification
 * 1, 'Promotion', code.)
 */
export const codeKey = (code: string): string => withPlainDigits(visibleText(code)).toUpperCase();

type Window = Pick<PromotionDefinition, 'active' | 'startsAt' | 'endsAt'>;

export const hasStarted = ({ startsAt }: Window, now: number): boolean =>
  startsAt === undefined || now >= Date.parse(startsAt);

export const hasEnded = ({ endsAt }: Window, now: number): boolean => endsAt !== undefined && now >= Date.parse(endsAt);

/** `open`: active and inside its window at `now` (ms). Its start is included, its end excluded. */
export const isOpen = (definition: Window, now: number): boolean =>
  definition.active && hasStarted(definition, now) && !hasEnded(definition, now);
