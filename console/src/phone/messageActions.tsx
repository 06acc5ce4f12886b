/** Buttons in a message, and actions on it. */
import type { ComponentChildren } from 'preact';
import { useInChat } from './chat.js';
import type { Flow, Message } from './wire.js';
import { useTongue } from './words/words.js';

const EMOJIS = ['👍', '❤️', '😂', '🙏'];

export interface Opening {
  form(flow: Flow): void;
  place(replyTo: string): void;
}

/** Buttons of menus, templates and forms; a list folds out as it does on a phone. */
export function Taps({ message, answered, open }: { message: Message; answered: boolean; open: Opening }) {
  const { translate } = useTongue();
  const { act } = useInChat();
  const { wamid, type, options = [], template, flow } = message;
  const buttons: ComponentChildren[] = options.map(({ id, title, description }) => (
    <button key={id} type="button" onClick={() => act({ choice: { id }, replyTo: wamid })}>
      <bdi>{title}</bdi>
      {description !== undefined && <small dir="auto">{description}</small>}
    </button>
  ));
  if (type === 'location_request_message')
    buttons.push(
      <button key="place" type="button" onClick={() => open.place(wamid)}>
        {translate('sharePlace')}
      </button>,
    );
  for (const { type: kind, text, payload = text } of template?.buttons ?? [])
    buttons.push(
      <button
        key={text}
        type="button"
        disabled={kind !== 'QUICK_REPLY'}
        onClick={() => act({ button: { text, payload }, replyTo: wamid })}
      >
        <bdi>{text || kind}</bdi>
      </button>,
    );
  if (flow !== undefined)
    buttons.push(
      <button key="form" type="button" class="main" disabled={answered} onClick={() => open.form(flow)}>
        <bdi>{answered ? translate('answered') : flow.cta}</bdi>
      </button>,
    );
  if (buttons.length === 0) return null;
  if (!options.some(({ list }) => list)) return <div class="taps">{buttons}</div>;
  return (
    <details class="taps">
      <summary>
        <bdi>{message.payload.interactive?.action?.button}</bdi>
      </summary>
      {buttons}
    </details>
  );
}

/** Reacting, replying and taking back: folded away, reached by the keyboard too. */
export function Acts({ message }: { message: Message }) {
  const { translate } = useTongue();
  const { act, replyTo } = useInChat();
  const { wamid, direction } = message;
  const acting = (run: () => unknown) => (event: MouseEvent) => {
    (event.currentTarget as Element).closest('details')!.open = false;
    run();
  };
  return (
    <details class="acts">
      <summary aria-label={translate('actions')} title={translate('actions')}>
        ⋯
      </summary>
      <div>
        {EMOJIS.map((emoji) => (
          <button
            key={emoji}
            type="button"
            aria-label={translate('react', { emoji })}
            onClick={acting(() => act({ reaction: { to: wamid, emoji } }))}
          >
            {emoji}
          </button>
        ))}
        <button type="button" onClick={acting(() => act({ reaction: { to: wamid } }))}>
          {translate('noReaction')}
        </button>
        <button type="button" onClick={acting(() => replyTo(message))}>
          {translate('reply')}
        </button>
        {direction === 'sent' && (
          <button type="button" onClick={acting(() => act({ revoke: { wamid } }))}>
            {translate('remove')}
          </button>
        )}
      </div>
    </details>
  );
}
