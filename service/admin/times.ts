import { timeMs } from '../../api/contract/formats.js';
import { UsageError } from './declaration.js';

export { timeMs };

export const EXAMPLE_TIME = '2026-11-01T12:00:00Z';

/** The time as it was typed. Throws UsageError. */
export function checkedTime(option: string, typed: string): string {
  if (timeMs(typed) !== undefined) return typed;
  throw new UsageError(`--${option} ${typed} is not a time: write it as ${EXAMPLE_TIME}`);
}
