/** One message as the phone shows it, with what can be tapped in it. */
import { CallCard, CartCard, ContactCard, FileCard, PlaceCard } from './cards.js';
import type { Changes } from './chat.js';
import { Acts, type Opening, Taps } from './messageActions.js';
import { firstLine, textOf } from './messageText.js';
import type { Message } from './wire.js';
import { useTongue } from './words/words.js';

interface BubbleProps {
  readonly message: Message;
  readonly changes: Changes;
  readonly open: Opening;
}

export function Bubble({ message, changes, open }: BubbleProps) {
  const { translate, time } = useTongue();
  const { wamid, at, direction, payload, template, file, statuses, replyTo } = message;
  if (changes.deleted.has(wamid))
    return (
      <li class={`bubble ${direction} gone`}>
        <span class="words">{translate('removed')}</span>
      </li>
    );
  const quoted = replyTo === undefined ? undefined : changes.byWamid.get(replyTo);
  const edited = changes.edited.get(wamid);
  const words = edited ?? textOf(message, translate, quoted?.flow);
  const reactions = (['sent', 'received'] as const)
    .map((by) => changes.reactions.get(`${wamid} ${by}`))
    .filter(Boolean);
  return (
    <li class={`bubble ${direction}`}>
      {payload.context?.forwarded && <em class="small">{translate('forwarded')}</em>}
      {quoted !== undefined && (
        <blockquote dir="auto">
          {firstLine(textOf(quoted, translate)) || translate(quoted.payload.order ? 'cart' : 'message')}
        </blockquote>
      )}
      {template?.header !== undefined && <strong dir="auto">{template.header}</strong>}
      {file !== undefined && <FileCard message={message} file={file} />}
      {payload.order !== undefined && <CartCard cart={payload.order} />}
      {payload.location !== undefined && <PlaceCard place={payload.location} />}
      {payload.contacts !== undefined && <ContactCard contacts={payload.contacts} />}
      {payload.call !== undefined && <CallCard duration={payload.call.duration} />}
      {words !== '' && (
        <span class="words" dir="auto">
          {words}
          {edited !== undefined && <small> ({translate('edited')})</small>}
        </span>
      )}
      {template?.footer !== undefined && (
        <span class="small" dir="auto">
          {template.footer}
        </span>
      )}
      <Taps message={message} answered={changes.answered.has(wamid)} open={open} />
      <span class="meta">
        {reactions.length > 0 && <span class="reactions">{reactions.join(' ')}</span>}
        {statuses.includes('failed') && <strong class="failed">{translate('notDelivered')}</strong>}
        <time dateTime={at}>{time(at)}</time>
        <Acts message={message} />
      </span>
    </li>
  );
}
