/** The service that runs on the data folder, as far as it answers. */
import { connect } from 'node:net';
import type { ProcessorAtRest } from '../../engine/processors/processorStops.js';
import type { ProjectionStatus } from '../../engine/projections/status.js';
import { callService } from '../../service/admin/adminClient.js';
import { readServiceCard, type ServiceCard } from '../../service/folder/serviceCard.js';

/** none: nobody has the folder. killed: who had it ended without a word. busy: a start, or a command, has it just now. */
export type Running =
  | { readonly state: 'none' | 'killed' | 'busy'; readonly card?: ServiceCard }
  | { readonly state: 'running'; readonly card: ServiceCard & { readonly socket: string } };

const CONNECT_MS = 1_000;

/** True if a process listens. A process id is weaker evidence: it may have been reused. */
function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    const end = (answer: boolean): void => {
      clearTimeout(late);
      connection.destroy();
      resolve(answer);
    };
    const late = setTimeout(() => end(true), CONNECT_MS);
    connection.once('connect', () => end(true));
    connection.once('error', () => end(false));
  });
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

export async function runningOn(folder: string): Promise<Running> {
  const card = readServiceCard(folder);
  if (card === undefined) return { state: 'none' };
  const { socket } = card;
  if (socket === undefined) return { state: isAlive(card.pid) ? 'busy' : 'killed', card };
  return (await answers(socket)) ? { state: 'running', card: { ...card, socket } } : { state: 'killed', card };
}

export const projectionsOf = async (socket: string): Promise<readonly ProjectionStatus[]> =>
  ((await callService(socket, 'projections.status', {})) as { projections: readonly ProjectionStatus[] }).projections;

export const processorsOf = async (socket: string): Promise<readonly ProcessorAtRest[]> =>
  ((await callService(socket, 'processors.status', {})) as { processors: readonly ProcessorAtRest[] }).processors;
