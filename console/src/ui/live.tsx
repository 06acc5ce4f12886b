/** State of the live tail, and the number of events left out. */
import type { TailState } from '../api/tail.js';
import { clock, count } from './format.js';
import { Icon } from './icons.js';
import { When } from './parts.js';

interface LiveProps {
  readonly isPast: boolean;
  readonly paused: boolean;
  readonly tail: TailState;
  turn(): void;
}

export function Live({ isPast, paused, tail: { state, left }, turn }: LiveProps) {
  const following = state === 'on' ? 'Live' : 'Reconnecting…';
  const text = isPast ? 'Past events' : paused ? 'Paused' : following;
  return (
    <div class="fine live">
      <span class={`lamp ${paused || isPast ? 'off' : state}`} aria-hidden="true" />
      <span role="status">
        {text}
        {left > 0 && ` · ${count(left)} not shown: too many at once`}
      </span>
      {!isPast && (
        <button type="button" class="button small" onClick={turn}>
          <Icon name={paused ? 'play' : 'pause'} /> {paused ? 'Resume' : 'Pause'}
        </button>
      )}
    </div>
  );
}

interface GapsProps {
  readonly tail: TailState;
  /** Singular and plural. */
  readonly called: readonly [one: string, many: string];
  readonly zone: string | undefined;
  /** The same list, narrowed by times. */
  hrefFor(range: { readonly from: string | undefined; readonly to: string | undefined }): string;
}

/** Events missed during a lost connection that are not in the list, with a link to them. */
export function Gaps({ tail: { gaps, forget }, called: [one, many], zone, hrefFor }: GapsProps) {
  if (gaps.length === 0) return null;
  return (
    <div class="note gaps" role="status">
      <ul>
        {gaps.map((gap) => {
          const { count: passed, atLeast, from, to } = gap;
          const text = `${atLeast ? 'At least ' : ''}${count(passed)} ${passed === 1 ? one : many}`;
          return (
            <li key={`${from} ${to}`}>
              {passed === 0 ? `More events arrived than can be shown` : `${text} missed during the interruption`}
              {from !== undefined && (
                <>
                  , from <When at={from} zone={zone} text={clock(from, zone)} />
                </>
              )}
              {to !== undefined && (
                <>
                  {' to '}
                  <When at={to} zone={zone} text={clock(to, zone)} />
                </>
              )}
              ; the newest are listed below. <a href={hrefFor({ from, to })}>Show them</a>
            </li>
          );
        })}
      </ul>
      <button type="button" class="button small" onClick={forget}>
        Close
      </button>
    </div>
  );
}
