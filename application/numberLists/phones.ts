import { setImmediate as others } from 'node:timers/promises';
import type { FieldProblem } from '../../domain/decider.js';
import { NOT_INTERNATIONAL, phoneReader } from '../phones.js';

/** Numbers parsed per turn of the event loop. 10,000 take about 150 ms, in which other requests must get their turn. */
const PART = 250;
/** Maximum problems in one response. */
const MOST_PROBLEMS = 100;

export interface ReadPhones {
  /** In E.164, each once, in the order of the request. */
  readonly phones: readonly string[];
  /** A problem for each invalid number, with its location. At most 100. */
  readonly problems: readonly FieldProblem[];
}

/** Parses the numbers of a list. (Specification 1, 'Number list'.) */
export async function readPhones(sent: readonly string[]): Promise<ReadPhones> {
  const { international } = await phoneReader();
  const phones = new Set<string>();
  const problems: FieldProblem[] = [];
  for (const [index, value] of sent.entries()) {
    if (index > 0 && index % PART === 0) await others();
    const phone = international(value);
    if (phone !== undefined) phones.add(phone);
    else if (problems.length < MOST_PROBLEMS)
      problems.push({ message: NOT_INTERNATIONAL, location: `body.phones[${index}]`, value });
  }
  return { phones: [...phones], problems };
}
