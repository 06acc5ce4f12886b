import { setTimeout as pause } from 'node:timers/promises';
import { refuse } from '../../domain/decider.js';
import type { ProjectionStatus } from '../../engine/projections/status.js';
import type { Execute, Terminal } from './declaration.js';
import { bar, short } from './text.js';

const LOOK_MS = 100;
/** Without any progress for so long, something is wrong that waiting does not mend. */
const STALLED_MS = 60_000;

interface Statuses {
  readonly projections: readonly ProjectionStatus[];
}

const shareOf = ({ position, head, state }: ProjectionStatus): number =>
  state === 'rebuilding' ? (position + 1) / Math.max(1, head + 1) : 1;

/** One line that is written over itself where a person watches; otherwise a line for each that is done. */
class Progress {
  readonly #terminal: Terminal;
  readonly #done = new Set<string>();
  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(projections: readonly ProjectionStatus[]): void {
    const done = projections.filter(({ state }) => state !== 'rebuilding');
    if (this.#terminal.watched) this.#draw(projections, done.length);
    else for (const { name } of done) this.#report(name);
  }

  #draw(projections: readonly ProjectionStatus[], done: number): void {
    const share = projections.reduce((sum, one) => sum + shareOf(one), 0) / Math.max(1, projections.length);
    const speed = projections.reduce((sum, one) => sum + (one.state === 'rebuilding' ? one.eventsPerSecond : 0), 0);
    const line = `${bar(share)}  ${done} of ${projections.length} built, ${short(speed)} events/s`;
    this.#terminal.note(`\r${line}\u001b[K${done === projections.length ? '\n' : ''}`);
  }

  #report(name: string): void {
    if (this.#done.has(name)) return;
    this.#done.add(name);
    this.#terminal.note(`${name}: built\n`);
  }
}

/** Waits until the builds that have begun serve; refuses `projection_stopped` when an event ended one of them. */
export async function followRebuild(
  { names }: { readonly names: readonly string[] },
  execute: Execute,
  terminal: Terminal,
): Promise<Statuses> {
  const progress = new Progress(terminal);
  let seen = '';
  let since = performance.now();
  for (;;) {
    const { projections } = (await execute('projections.status', {})) as Statuses;
    const mine = projections.filter(({ name }) => names.includes(name));
    progress.show(mine);
    const stopped = mine.find(({ poison, state }) => poison !== undefined && state !== 'rebuilding');
    if (stopped !== undefined)
      refuse('projection_stopped', `${stopped.name} was stopped by ${JSON.stringify(stopped.poison)}.`);
    if (mine.every(({ state }) => state !== 'rebuilding')) return { projections: mine };
    const now = JSON.stringify(mine.map(({ position, state }) => [position, state]));
    if (now !== seen) since = performance.now();
    else if (performance.now() - since > STALLED_MS)
      refuse('rebuild_stalled', `No progress for ${STALLED_MS / 1000} s. See 'suuq projections status'.`);
    seen = now;
    await pause(LOOK_MS);
  }
}
