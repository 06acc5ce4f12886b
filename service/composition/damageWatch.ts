/** Files of the data folder that turn out to be damaged while the service starts or runs. */
import { basename, dirname, sep } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { FileDamaged } from '../../engine/ports/fileDamaged.js';
import type { Log } from '../../engine/ports/log.js';
import { listenForDamage } from '../../infrastructure/sqlite/damageReports.js';
import { damagedJsonIn, markDamagedViews } from '../folder/damageCheck.js';
import { type Damage, damageOf } from '../folder/damagedFiles.js';

export class DamageWatch {
  readonly #folder: string;
  readonly #databases = new Map<string, FileDamaged>();
  readonly #end: () => void;

  /** `folder`: absolute. */
  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#end = listenForDamage(({ path, reason }) => {
      const file = basename(path);
      if (!path.startsWith(folder + sep) || this.#databases.has(file)) return;
      const error = new FileDamaged(file, reason);
      this.#databases.set(file, error);
      log.error({ ...damageOf(error), file: path }, 'damaged file in the data folder');
      if (file === 'views.db') markDamagedViews(dirname(path), reason, log);
    });
  }

  /** Databases are named until the service ends, other files while they are damaged. */
  now(): readonly Damage[] {
    return [...[...this.#databases.values()].map(damageOf), ...damagedJsonIn(this.#folder)];
  }

  /** Ends the watch after a start that failed. Returns the first damaged database, which the start failed at. */
  async endOfStart(): Promise<FileDamaged | undefined> {
    // Reports from threads arrive with the next turn.
    await turn();
    await turn();
    this.stop();
    return [...this.#databases.values()][0];
  }

  stop(): void {
    this.#end();
  }
}
