import { UsageError } from '../admin/declaration.js';
import { EXAMPLE_TIME, isTime } from '../admin/times.js';
import type { Typed } from './command.js';

/** The time that an option gives, as it was typed; undefined without it. Throws UsageError. */
export function typedTime(typed: Typed, option: string): string | undefined {
  const text = typed.one(option);
  if (text === undefined || isTime(text)) return text;
  throw new UsageError(`--${option} ${text} is no time: write it as ${EXAMPLE_TIME}`);
}

/** The same in ms since 1970. */
export function typedMs(typed: Typed, option: string): number | undefined {
  const text = typedTime(typed, option);
  return text === undefined ? undefined : Date.parse(text);
}
