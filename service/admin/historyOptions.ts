/** Options of history commands, as they are typed and sent. */
import type { Option, OptionWords } from './declaration.js';
import type { Fields } from './input.js';
import { argument, text, texts } from './options.js';
import { checkedTime, EXAMPLE_TIME, timeMs } from './times.js';

function sentTime(fields: Fields, name: string, value: unknown): number {
  const ms = typeof value === 'string' ? timeMs(value) : undefined;
  if (ms === undefined) fields.problem(name, `must be a time, such as ${EXAMPLE_TIME}`, value);
  return ms ?? Number.NaN;
}

/** A moment, in ms since 1970. */
const moment = (name: string, about: string): Option<number | undefined> => ({
  value: 'TIME',
  about,
  send: (typed) => (typed === undefined ? undefined : checkedTime(name, typed)),
  check: (fields, field) =>
    fields.value(field) === undefined ? undefined : sentTime(fields, field, fields.value(field)),
});

const diff: Option<readonly [number, number] | undefined> = {
  value: 'T1 T2',
  about: 'Show the differences between two times instead of the events.',
  pair: true,
  sendMany: (typed) => (typed.length === 0 ? undefined : typed.map((each) => checkedTime('diff', each))),
  check(fields, name) {
    const value = fields.value(name);
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.length === 2)
      return [sentTime(fields, name, value[0]), sentTime(fields, name, value[1])];
    fields.problem(name, 'must be two times');
    return undefined;
  },
};

const LIMIT = 200;
const MOST = 1000;

const limit: Option<number> = {
  value: 'N',
  about: `Events per page, at most ${MOST}. Default: ${LIMIT}.`,
  check(fields, name) {
    const value = fields.value(name);
    if (value === undefined) return LIMIT;
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= MOST) return number;
    fields.problem(name, `must be a whole number from 1 to ${MOST}`, value);
    return LIMIT;
  },
};

const only = (words: OptionWords) => text(words);

export const ranged = {
  from: moment('from', 'Only events at or after this time.'),
  to: moment('to', 'Only events before this time.'),
  type: texts({ value: 'TYPE', about: 'Only this event type, such as OrderPlaced.' }),
  actor: only({
    value: 'WHO',
    about: "Only this actor: member, api_key:ID, an id, a customer's phone, or operator:ACCOUNT.",
  }),
  limit,
  after: only({ value: 'PLACE', about: 'Start of the next page, as printed.' }),
};

export const historyOptions = {
  at: moment('at', `State at this time, such as ${EXAMPLE_TIME}. Default: now.`),
  ...ranged,
  correlation: only({ value: 'ID', about: 'Only events caused by this request.' }),
  diff,
};

export const idArgument = argument('id', { required: true });
export const externalIdArgument = argument('externalId', { required: true });
export const workspaceArgument = argument('workspace', { required: true });
