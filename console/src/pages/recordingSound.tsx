/** The sound that calls play for a recording, to play here or to download. */
import { useState } from 'preact/hooks';
import { soundUrl } from '../api/client.js';
import { bytes, span } from '../ui/format.js';
import type { RowBody } from './rowBody.js';

interface SoundProps {
  readonly workspaceId: string;
  readonly id: string;
  readonly body: RowBody;
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

export function RecordingSound({ workspaceId, id, body: { name, playable, durationMs, size } }: SoundProps) {
  const [failed, setFailed] = useState(false);
  if (playable !== true) return <p class="note">Calls cannot play this recording. Upload a file that can be played.</p>;
  // With another sound it is another address, so that the browser does not go on with the one before.
  const url = `${soundUrl(workspaceId, id)}?size=${size}`;
  return (
    <section class="sound" aria-label="Playback in calls">
      {failed && (
        <p class="bad" role="alert">
          This browser cannot play the sound.{' '}
          <button type="button" class="button small" onClick={() => setFailed(false)}>
            Try again
          </button>
        </p>
      )}
      {!failed && (
        // biome-ignore lint/a11y/useMediaCaption: it is the words themselves, and nobody has written them down
        <audio controls preload="none" src={url} aria-label={`Play ${name}`} onError={() => setFailed(true)} />
      )}
      <p class="actions">
        <a class="button small" href={url} download>
          Save to a file
        </a>
        <span class="fine">
          {isNumber(durationMs) && span(durationMs)}
          {isNumber(size) && ` · ${bytes(size)}`}
        </span>
      </p>
    </section>
  );
}
