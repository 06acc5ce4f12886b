/** Whether what is shown follows what happens, and how much of it is left out. */
import type { TailState } from '../api/tail.js';
import { count } from './format.js';
import { Icon } from './icons.js';

interface LiveProps {
  readonly isPast: boolean;
  readonly paused: boolean;
  readonly tail: TailState;
  turn(): void;
}

export function Live({ isPast, paused, tail: { state, left }, turn }: LiveProps) {
  const following = state === 'on' ? 'Live' : 'Connecting again…';
  const said = isPast ? 'Looking back' : paused ? 'Paused' : following;
  return (
    <div class="fine live">
      <span class={`lamp ${paused || isPast ? 'off' : state}`} aria-hidden="true" />
      <span role="status">
        {said}
        {left > 0 && ` · too many at once: ${count(left)} are not shown`}
      </span>
      {!isPast && (
        <button type="button" class="button small" onClick={turn}>
          <Icon name={paused ? 'play' : 'pause'} /> {paused ? 'Go on' : 'Pause'}
        </button>
      )}
    </div>
  );
}
