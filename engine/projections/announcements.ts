import type { Position } from '../ports/eventStore.js';
import type { Build } from './build.js';
import { Listeners } from './listeners.js';
import type { Running } from './opening.js';
import { hasStopped } from './status.js';
import type { Changed } from './viewChanges.js';

/** Notifies waiters and listeners of the progress of builds that queries read, and of stopped builds. */
export class Announcements extends Listeners {
  readonly #running: ReadonlyMap<string, Running>;

  constructor(running: ReadonlyMap<string, Running>) {
    super();
    this.#running = running;
  }

  /** Publishes builds that moved, except those that queries do not read yet. `changed`: default: all they show. */
  moved(builds: readonly Build[], changed?: Changed): void {
    const moved: [string, Position][] = [];
    for (const build of builds) if (this.#isRead(build)) moved.push([build.name, build.position]);
    if (moved.length === 0 && changed === undefined) return;
    const positions = Object.fromEntries(moved);
    this.publish(positions, changed ?? { projections: Object.keys(positions) });
  }

  /** Publishes a write of a build that has not arrived. */
  wrote(build: Build): void {
    if (this.#isRead(build)) this.publish({}, { projections: [build.name] });
  }

  /** Call it when a build may have stopped or resumed. */
  stopped(): void {
    const stopped = [...this.#running.values()].filter(hasStopped).map(({ projection }) => projection.name);
    this.publishStopped(stopped);
  }

  #isRead(build: Build): boolean {
    return this.#running.get(build.name)?.current === build;
  }
}
