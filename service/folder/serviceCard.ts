/** Who has a data folder, and why it cannot be had: what every command asks, which loads no engine for it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a running service says of itself in `service.json`, for the command line and for a second start. */
export interface ServiceCard {
  readonly pid: number;
  readonly startedAt: string;
  /** Of the release that runs. */
  readonly version?: string;
  /** Absent while a command works on the folder without a service. */
  readonly baseUrl?: string;
  /** Where /readyz is, when it is not below `baseUrl`: on the console's port. */
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
      `There is no installation in ${folder}. Set SUUQ_DATA to the folder of yours; 'suuq start' makes a new one where there is none.`,
    );
  }
}

/** What is in the folder is a part of a backup only. */
export class RestoreUnfinished extends Error {
  override readonly name = 'RestoreUnfinished';
  constructor(folder: string) {
    super(`A restore into ${folder} ended early. Give the same 'suuq restore' again: it begins anew.`);
  }
}
