/** The sounds that a store's calls play, to play or to download, for the signed-in person. */
import type { Viewer } from '../../application/console/access.js';
import { type PlayedSound, playedSound } from '../../application/recordings/playedSound.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import { refused } from './commands.js';
import type { ConsoleParts } from './consoleParts.js';
import { notFound, seesStore } from './request.js';

export const SOUND = '/stores/:workspaceId/recordings/:recordingId/sound';

/** A store's people hear their own; another store's are as unknown as none. Refuses `not_found`, and `command_refused` for `recording_not_playable`. */
export async function soundFor(
  { sounds }: Pick<ConsoleParts, 'sounds'>,
  commands: Pick<BoundCommands, 'query'>,
  { workspaceId = '', recordingId = '' }: Readonly<Record<string, string>>,
  viewer: Viewer,
): Promise<PlayedSound> {
  const store = workspaceId.toLowerCase();
  if (!seesStore(viewer, store)) return notFound('recording');
  return playedSound(sounds, commands, store, recordingId.toLowerCase()).catch(refused);
}
