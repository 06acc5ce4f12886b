import { checkedTime, timeMs } from '../service/admin/times.js';
import type { Typed } from './command.js';

/** The time that an option gives, as it was typed; undefined without it. Throws UsageError. */
export function timeOption(typed: Typed, option: string): string | undefined {
  const text = typed.one(option);
  return text === undefined ? undefined : checkedTime(option, text);
}

/** The same in ms since 1970. */
export function timeOptionMs(typed: Typed, option: string): number | undefined {
  const text = timeOption(typed, option);
  return text === undefined ? undefined : timeMs(text);
}
