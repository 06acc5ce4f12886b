/** A slider over the events of something, by mouse, touch and the arrow keys; the address holds the moment. */
import { useEffect } from 'preact/hooks';
import type { ConsoleEventBody } from '../../../api/console/contract.js';
import { typeWords } from './format.js';
import { Icon } from './icons.js';
import { WhenExactly } from './parts.js';
import { refine } from './router.js';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.matches('input:not([type=range]), select, textarea') || target.isContentEditable);

interface SliderProps {
  /** Kind of the subject, such as `order`. */
  readonly of: string;
  readonly steps: readonly { readonly event: Pick<ConsoleEventBody, 'id' | 'type' | 'at'> }[];
  readonly at: number;
  /** There are later ones than these. */
  readonly more: boolean;
  readonly zone?: string | undefined;
}

/** Which step the address names (`at`); the newest when none. */
export function momentOf(query: URLSearchParams, steps: number): number {
  const requested = query.get('at');
  return requested !== null && /^\d+$/.test(requested) ? Math.min(steps - 1, Number(requested)) : steps - 1;
}

export function Slider({ of, steps, at, more, zone }: SliderProps) {
  const last = steps.length - 1;
  const to = (next: number): void => refine({ at: next === last ? undefined : Math.max(0, Math.min(last, next)) });
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.metaKey || event.ctrlKey || event.altKey) return;
      if ((event.target as HTMLElement).matches?.('input[type=range]')) return;
      if (event.key === 'ArrowLeft') to(at - 1);
      else if (event.key === 'ArrowRight') to(at + 1);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  });
  const { event } = steps[at]!;
  return (
    <div class="slider card">
      <div class="now">
        <p>
          <strong>{at === last && !more ? 'Current version' : 'Earlier version'}</strong> after{' '}
          <em>{typeWords(event.type)}</em>
        </p>
        <p class="soft">
          <WhenExactly at={event.at} zone={zone} /> · step {at + 1} of {steps.length}
        </p>
      </div>
      <div class="track">
        <button
          type="button"
          class="button round"
          aria-label="Previous event"
          disabled={at === 0}
          onClick={() => to(at - 1)}
        >
          <Icon name="back" />
        </button>
        <input
          type="range"
          aria-label={`Time of the ${of}`}
          aria-valuetext={`${typeWords(event.type)}, step ${at + 1} of ${steps.length}`}
          min={0}
          max={last}
          value={at}
          list="moments"
          onInput={({ currentTarget }) => to(Number(currentTarget.value))}
        />
        <datalist id="moments">
          {steps.length <= 60 && steps.map((step, i) => <option key={step.event.id} value={i} />)}
        </datalist>
        <button
          type="button"
          class="button round"
          aria-label="Next event"
          disabled={at === last}
          onClick={() => to(at + 1)}
        >
          <Icon name="next" />
        </button>
      </div>
    </div>
  );
}
