import { setImmediate as others } from 'node:timers/promises';
import type { FieldProblem } from '../../domain/decider.js';

/** Numbers parsed in one go; 10,000 take some 150 ms, in which other requests must have their turn. */
const PART = 250;
/** Problems told of one request. */
const MOST_PROBLEMS = 100;
/** Longer texts are no numbers: the longest way to write one is far below. */
const MOST_CHARACTERS = 60;

type Parser = typeof import('libphonenumber-js/min');
let parser: Promise<Parser> | undefined;

/** Loaded when it is first needed: it would take a fifteenth of a second of every start. */
function numbering(): Promise<Parser> {
  parser ??= import('libphonenumber-js/min');
  return parser;
}

/**
 * A number in E.164, as the channel names its customers; undefined when it can be none. `country`: ISO 3166, for numbers
 * without a country code. Judged by the length that the country's plan allows, not by its ranges: new ranges come into use
 * before they are known here. A number with an extension is none of a customer.
 */
function e164({ parsePhoneNumberFromString }: Parser, text: string, country: string): string | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const known = { defaultCountry: country.toUpperCase() as never, extract: false };
  const number = parsePhoneNumberFromString(text.trim(), known);
  if (number === undefined || number.ext !== undefined || !number.isPossible()) return undefined;
  return number.number;
}

export interface ReadPhones {
  /** In E.164, each once, in the order in which they were sent. */
  readonly phones: readonly string[];
  /** One for each number that is none, at its place; at most 100. */
  readonly problems: readonly FieldProblem[];
}

/** The numbers of a list. `country` is the store's. (Specification 1, 'Number list'.) */
export async function readPhones(sent: readonly string[], country: string): Promise<ReadPhones> {
  const numbers = await numbering();
  const phones = new Set<string>();
  const problems: FieldProblem[] = [];
  for (const [index, value] of sent.entries()) {
    if (index > 0 && index % PART === 0) await others();
    const phone = e164(numbers, value, country);
    if (phone !== undefined) phones.add(phone);
    else if (problems.length < MOST_PROBLEMS)
      problems.push({
        message: 'This is not a phone number with its country code.',
        location: `body.phones[${index}]`,
        value,
      });
  }
  return { phones: [...phones], problems };
}
