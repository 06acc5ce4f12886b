/**
 * Sends the session, with the permissions of its member, again whenever it changes: a role, a team, the store's state,
 * the session itself. So open screens follow within two seconds.
 */
import type { IncomingMessage } from 'node:http';
import { concatMap, distinctUntilChanged, filter, from, map, merge, type Observable, of, switchMap, timer } from 'rxjs';
import type { Viewer } from '../../application/console/access.js';
import type { LiveEvents } from '../../application/console/liveEvents.js';
import type { ConsoleLiveSessionBody, ConsoleSessionBody } from './contract.js';
import type { TailBatch } from './tail.js';

/** Categories of events that can change it. */
const CATEGORIES = new Set(['members', 'store', 'session', 'consoleSession']);
/** Times after an event at which it is read, in ms: another instance may serve a second longer what it knew before. */
const AFTER_MS = [100, 1_300];

/** Emits some moments after each event that can change what a person may do, when no instance serves older access. */
export function accessChanges(
  { all }: Pick<LiveEvents, 'all'>,
  { sessionId, workspaceId }: Pick<Viewer, 'sessionId' | 'workspaceId'>,
): Observable<unknown> {
  const concerns = (stream: string): boolean => {
    const at = stream.indexOf('-');
    const id = stream.slice(at + 1);
    return CATEGORIES.has(stream.slice(0, at)) && (id === sessionId || id === workspaceId);
  };
  return all.pipe(
    filter(({ stream }) => concerns(stream)),
    switchMap(() => merge(...AFTER_MS.map((ms) => timer(ms)))),
  );
}

/** Completes with an error when the session has ended, so that the browser notices at once. */
export function sessionTail(
  live: Pick<LiveEvents, 'all'>,
  viewerOf: (request: IncomingMessage) => Promise<Viewer>,
  bodyOf: (viewer: Viewer) => Promise<ConsoleSessionBody>,
): (query: URLSearchParams, viewer: Viewer, since: string, request: IncomingMessage) => Observable<TailBatch> {
  return (_, viewer, __, request) => {
    let turn = 0;
    return merge(of(0), accessChanges(live, viewer)).pipe(
      concatMap(() => from(viewerOf(request).then(bodyOf))),
      distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)),
      map((session) => ({
        id: turn++,
        count: 1,
        left: 0,
        body: async (): Promise<ConsoleLiveSessionBody> => ({ session, left: 0 }),
      })),
    );
  };
}
