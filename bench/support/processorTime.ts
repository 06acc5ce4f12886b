import { readFileSync } from 'node:fs';

/** Tick of the clock in /proc, in ms. */
const TICK_MS = 10;

/** Processor time that a process has taken so far, all its threads together, in ms. */
export function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
