/**
 * Recordings that teams' queues play. Teams and recordings have separate streams, so a team's change reserves the recordings in their
 * stream, and releases them when it is done. In between nobody can remove one.
 */
import type { TeamQueue } from '../../domain/access/memberEvents.js';
import type { People } from '../../domain/access/members.js';
import { defaultOf } from '../../domain/channel/defaultRecordings.js';
import { freeRecordings, takeRecordings } from '../../domain/channel/recordingChanges.js';
import { recordings } from '../../domain/channel/recordings.js';
import { refuse } from '../../domain/decider.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';

const FIELDS = ['holdRecordingId', 'closedRecordingId', 'missedRecordingId'] as const;
type Field = (typeof FIELDS)[number];

const namedIn = (queue: TeamQueue): [Field, string][] =>
  FIELDS.flatMap((field): [Field, string][] => (queue[field] === undefined ? [] : [[field, queue[field]]]));

/** Names of the teams whose queue plays it. */
export const teamsUsing =
  (recordingId: string) =>
  ({ teams }: People): string[] =>
    [...teams.values()]
      .filter(({ queue }) => namedIn(queue).some(([, id]) => id === recordingId))
      .map(({ name }) => name);

export interface QueueChange {
  readonly commands: BoundCommands;
  readonly workspaceId: string;
  /** Id of the team, if known. */
  readonly by: string;
  /** Id of this attempt to change the team. */
  readonly attempt: string;
}

/**
 * Runs a change after which a team's queue plays these recordings, which cannot be removed while a team uses them. Refuses
 * `validation_failed` with the location of each id that the store does not have. A change may take up to a minute. A change that was
 * interrupted protects its recordings for that long.
 */
export async function withRecordings<R>(change: QueueChange, queue: TeamQueue, make: () => Promise<R>): Promise<R> {
  const { commands, workspaceId, by, attempt } = change;
  const named = namedIn(queue).filter(([, id]) => defaultOf(workspaceId, id) === undefined);
  const ids = [...new Set(named.map(([, id]) => id))];
  if (ids.length === 0) return make();
  await commands.decide(recordings, workspaceId, (state) => {
    const problems = named
      .filter(([, id]) => !state.all.has(id))
      .map(([field, value]) => ({ message: 'is not a recording of the store', location: `queue.${field}`, value }));
    if (problems.length > 0) refuse('validation_failed', 'The store does not have all of these recordings.', problems);
    return takeRecordings(ids, by, attempt)(state);
  });
  try {
    return await make();
  } finally {
    await commands.decide(recordings, workspaceId, freeRecordings(ids, attempt));
  }
}
