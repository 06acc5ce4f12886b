/** Default recordings of every store. (Specification 2, 'Recordings': source `default`.) */

import { derivedId } from '../ids.js';
import type { DefaultRecording } from './recordingChanges.js';
import type { RecordingKind, RecordingLanguage } from './recordingEvents.js';

const LANGUAGE_NAMES: Readonly<Record<RecordingLanguage, string>> = { en: 'English', so: 'Somali', ar: 'Arabic' };
const SPOKEN = {
  fallback_closed: 'Closed message',
  fallback_prayer: 'Prayer time message',
  fallback_missed: 'Missed call message',
} as const satisfies Partial<Record<RecordingKind, string>>;

/** Returns the same id for the same store, so that a default that nobody changed need not be stored. */
const idOf = (workspaceId: string, kind: RecordingKind, language = ''): string =>
  derivedId('default recording', workspaceId, kind, language);

function made(workspaceId: string): readonly DefaultRecording[] {
  const spoken = (Object.keys(SPOKEN) as (keyof typeof SPOKEN)[]).flatMap((kind) =>
    (Object.keys(LANGUAGE_NAMES) as RecordingLanguage[]).map((language) => ({
      id: idOf(workspaceId, kind, language),
      name: `${SPOKEN[kind]}, ${LANGUAGE_NAMES[language]}`,
      kind,
      language,
    })),
  );
  return [...spoken, { id: idOf(workspaceId, 'hold'), name: 'Hold music', kind: 'hold' }];
}

/** Cache of the last store's defaults: a view reads them ten times per store. */
let last: { readonly workspaceId: string; readonly defaults: readonly DefaultRecording[] } | undefined;

/** Returns the defaults in the order in which they are listed. */
export function defaultsOf(workspaceId: string): readonly DefaultRecording[] {
  if (last?.workspaceId !== workspaceId) last = { workspaceId, defaults: made(workspaceId) };
  return last.defaults;
}

export const defaultOf = (workspaceId: string, recordingId: string): DefaultRecording | undefined =>
  defaultsOf(workspaceId).find(({ id }) => id === recordingId);

/** Name in the file store of the chime, which defaults play until they are replaced. A store has it once. */
export const chimeName = (workspaceId: string): string => `${workspaceId}/${derivedId('default chime', workspaceId)}`;
