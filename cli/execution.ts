import { setTimeout as pause } from 'node:timers/promises';
import { DomainError, refuse } from '../domain/decider.js';
import { defined } from '../domain/defined.js';
import { callService, NoService } from '../service/admin/adminClient.js';
import { executeAdmin } from '../service/admin/adminCommands.js';
import type { AdminContext } from '../service/admin/context.js';
import { FolderInUse, readServiceCard } from '../service/folder/serviceCard.js';
import { release } from '../service/release.js';
import type { Execute } from './command.js';

/** The engines on a data folder, without a service. */
export interface OpenedInstance {
  readonly admin: AdminContext;
  close(): Promise<void>;
}

/** A service that is starting, or another command, has the folder for a moment only; longest wait for it, in ms. */
const FOLDER_MS = 5000;
const LOOK_MS = 50;

/** A command that the service does not know, and this command line does. */
function otherRelease(folder: string): DomainError {
  const { version = 'of before' } = readServiceCard(folder) ?? {};
  return new DomainError(
    'other_version',
    `The service on ${folder} is release ${version} and does not know this command. This command line is release ${release.version}. Restart the service with this release.`,
  );
}

/** Undefined: no service listens. */
async function callIfRunning(
  folder: string,
  command: string,
  input: unknown,
  operator?: string,
): Promise<object | undefined> {
  const socket = readServiceCard(folder)?.socket;
  if (socket === undefined) return undefined;
  try {
    return await callService(socket, command, input, operator);
  } catch (error) {
    // Nobody took the command, so it may be given to the engines instead.
    if (error instanceof NoService) return undefined;
    throw error instanceof DomainError && error.code === 'unknown_command' ? otherRelease(folder) : error;
  }
}

/** In the service that runs on the folder, and nowhere else. Refuses `not_running` where none does. */
export const executeRunning =
  (folder: string, operator?: string): Execute =>
  async (command, input) =>
    (await callIfRunning(folder, command, input, operator)) ??
    refuse('not_running', `No service runs on ${folder}. Start it ('suuq start'), or set SUUQ_DATA to its folder.`);

/**
 * Runs `work` with commands that go to the service of the data folder while it runs, and otherwise to engines that are opened for them and
 * closed afterwards. `operator`: the account of the caller. Throws FolderInUse if another process has locked the folder and accepts no
 * commands.
 */
export async function withExecute<R>(
  folder: string,
  open: () => Promise<OpenedInstance>,
  work: (execute: Execute) => Promise<R>,
  operator?: string,
): Promise<R> {
  let opened: OpenedInstance | undefined;
  const execute: Execute = async (command, input) => {
    const deadline = performance.now() + FOLDER_MS;
    while (opened === undefined) {
      const answer = await callIfRunning(folder, command, input, operator);
      if (answer !== undefined) return answer;
      try {
        opened = await open();
      } catch (error) {
        if (!(error instanceof FolderInUse) || performance.now() > deadline) throw error;
        await pause(LOOK_MS);
      }
    }
    return executeAdmin(opened.admin, command, input, defined({ operator }));
  };
  try {
    return await work(execute);
  } finally {
    await opened?.close();
  }
}
