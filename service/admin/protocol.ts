import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { FieldProblem } from '../../domain/decider.js';

/** One command of the operator on its way to the running service. */
export interface AdminRequest {
  /** A name of service/admin/adminCommands.ts. */
  readonly command: string;
  readonly input?: unknown;
  /** Account of the caller. */
  readonly operator?: string;
}

export interface AdminFailure {
  readonly code: string;
  readonly detail: string;
  readonly problems?: readonly FieldProblem[];
}

export type AdminAnswer = { readonly result: object } | { readonly error: AdminFailure };

/** Operating systems cut a socket's path at some 104 bytes. */
const LONGEST_PATH = 100;

/** Folders of sockets outside the data folder; only their owner can enter. */
const OUTSIDE = 'suuq-admin-';

/**
 * Socket of a data folder's service: in the folder, or in a new private temporary folder if the path is too long. Called once per start.
 */
export function adminSocketPath(dataFolder: string): string {
  const path = join(resolve(dataFolder), 'admin.sock');
  return Buffer.byteLength(path) <= LONGEST_PATH ? path : join(mkdtempSync(join(tmpdir(), OUTSIDE)), 'admin.sock');
}

/** Removes the folder that adminSocketPath has made for the socket, if it has. */
export function removeSocketFolder(socketPath: string): void {
  const folder = dirname(socketPath);
  if (basename(folder).startsWith(OUTSIDE)) rmSync(folder, { recursive: true, force: true });
}
