/**
 * Teams and the recordings that their queues play. Teams stand in one stream and recordings in another: a team's change
 * says in the recordings' stream that it is about to use them, and when it is done. Between the two nobody can remove one.
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
  /** The team's id, as far as it is known. */
  readonly by: string;
  /** Names this try to change the team, and no other. */
  readonly attempt: string;
}

/**
 * Makes a change after which a team's queue plays the named recordings: they are there as long as a team uses them. Refuses
 * `validation_failed` with the place of each id that the store does not have. A change may take a minute; what was stopped
 * in the middle of one keeps its recordings from being removed for that long.
 */
export async function withRecordings<R>(change: QueueChange, queue: TeamQueue, make: () => Promise<R>): Promise<R> {
  const { commands, workspaceId, by, attempt } = change;
  const named = namedIn(queue).filter(([, id]) => defaultOf(workspaceId, id) === undefined);
  const ids = [...new Set(named.map(([, id]) => id))];
  if (ids.length === 0) return make();
  await commands.decide(recordings, workspaceId, (state) => {
    const problems = named
      .filter(([, id]) => !state.all.has(id))
      .map(([field, value]) => ({ message: 'is no recording of the store', location: `queue.${field}`, value }));
    if (problems.length > 0) refuse('validation_failed', 'The store does not have all of these recordings.', problems);
    return takeRecordings(ids, by, attempt)(state);
  });
  try {
    return await make();
  } finally {
    await commands.decide(recordings, workspaceId, freeRecordings(ids, attempt));
  }
}
