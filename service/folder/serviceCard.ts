/** Owner of a data folder, and reasons why it is unavailable: read by every command without loading an engine. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Card of a running service in `service.json`, for the command line and for a second start. */
export interface ServiceCard {
  readonly pid: number;
  readonly startedAt: string;
  /** Version of the running release. */
  readonly version?: string;
  /** Absent while a command works on the folder without a service. */
  readonly baseUrl?: string;
  /** Address of /readyz, if it is on the console's port instead of below `baseUrl`. */
  readonly readinessUrl?: string;
  readonly sandboxUrl?: string;
  /** Path of the Unix domain socket that takes administration commands. */
  readonly socket?: string;
}

/** Its file in the data folder. */
export const CARD = 'service.json';

/** Undefined where no process has the folder. */
export function readServiceCard(folder: string): ServiceCard | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, CARD), 'utf8')) as ServiceCard;
  } catch {
    return undefined;
  }
}

export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
  readonly card: ServiceCard | undefined;
  constructor(folder: string, card: ServiceCard | undefined) {
    const who =
      card === undefined
        ? 'another process'
        : `process ${card.pid}, started ${card.startedAt}${card.baseUrl === undefined ? '' : `, at ${card.baseUrl}`}`;
    super(`The data folder ${folder} is in use by ${who}. Stop it first, or set SUUQ_DATA to another folder.`);
    this.card = card;
  }
}

/** A command was given a folder without an installation, by mistake as a rule: only a start founds one. */
export class NoInstallation extends Error {
  override readonly name = 'NoInstallation';
  constructor(folder: string) {
    super(
      `There is no installation in ${folder}. Set SUUQ_DATA to your data folder. 'suuq start' creates a new installation.`,
    );
  }
}

/** The folder contains only a part of a backup. */
export class RestoreUnfinished extends Error {
  override readonly name = 'RestoreUnfinished';
  constructor(folder: string) {
    super(`A restore into ${folder} was interrupted. Run the same 'suuq restore' again: it starts from the beginning.`);
  }
}
