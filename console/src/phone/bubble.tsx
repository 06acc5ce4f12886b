/** One message as the phone shows it, with what can be tapped in it. */
import type { ComponentChildren } from 'preact';
import { phoneFile } from '../api/client.js';
import { Icon } from '../ui/icons.js';
import { Own } from '../ui/parts.js';
import { type Changes, useInChat } from './chat.js';
import { Amount, priceOf, Tile, titleOf } from './goods.js';
import type { Cart, Contact, File, Flow, Message, Place } from './wire.js';
import { type Tongue, useTongue } from './words/words.js';

const EMOJIS = ['👍', '❤️', '😂', '🙏'];
const LONGEST_LINE = 60;
type Say = Tongue['say'];

/** The beginning of a text, to quote it. */
export function firstLine(text: string): string {
  const line = text.split('\n')[0]!;
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line;
}

/** A number keeps its sign before it, whatever is written around it. */
const leftToRight = (text: string): string => (/^[+\d\s]+$/.test(text) ? `\u2066${text}\u2069` : text);

/** What a form was answered with, in the words of the form. Undefined: it is no answer to a form. */
function formAnswer({ payload: { interactive } }: Message, say: Say, form: Flow | undefined): string | undefined {
  const text = interactive?.nfm_reply?.response_json;
  if (text === undefined) return undefined;
  const { flow_token, area, fulfilment, wallet, ...answers } = JSON.parse(text) as Record<string, unknown>;
  const way = fulfilment === 'delivery' || fulfilment === 'pickup' ? say(fulfilment) : (fulfilment ?? say('payment'));
  const chosen = ({ id }: { readonly id: string }): boolean => id === area || id === wallet;
  const { areas = [], wallets = [] } = form?.data ?? {};
  const titles = [areas.find(chosen)?.title ?? area, wallets.find(chosen)?.title ?? wallet];
  return [way, ...titles, ...Object.values(answers)]
    .filter((one) => one !== undefined && one !== '' && typeof one !== 'object')
    .map((one) => leftToRight(String(one)))
    .join('\n');
}

/** What a message says in words; files, carts and places are shown beside it. */
export function saidIn(message: Message, say: Say, form?: Flow): string {
  const { payload, text, file, direction } = message;
  const { interactive } = payload;
  if (payload.order) return payload.order.text ?? '';
  if (payload.location || payload.contacts || payload.call) return '';
  if (payload.button) return payload.button.text;
  if (payload.system) return payload.system.body;
  if (direction === 'sent' && interactive)
    return (
      formAnswer(message, say, form) ??
      (interactive.button_reply ?? interactive.list_reply)?.title ??
      text ??
      payload.type
    );
  return text ?? (file ? '' : payload.type);
}

function CartCard({ cart }: { cart: Cart }) {
  const { say } = useTongue();
  const items = useInChat().items.data ?? [];
  const lines = cart.product_items.map((line) => {
    const item = items.find(({ retailerId }) => retailerId === line.product_retailer_id);
    const { item_price: asked, currency = 'USD' } = line;
    const each = asked === undefined ? item && priceOf(item) : { cents: Math.round(asked * 100), currency };
    return { line, item, price: each && { ...each, cents: each.cents * line.quantity } };
  });
  const priced = lines.flatMap(({ price }) => price ?? []);
  const cents = priced.reduce((all, one) => all + one.cents, 0);
  return (
    <div class="cart-card">
      <ul>
        {lines.map(({ line, item, price }) => (
          <li key={line.product_retailer_id}>
            <Tile name={item?.data.title ?? line.product_retailer_id} />
            <span>
              <bdi>{titleOf(item, line.product_retailer_id)}</bdi>
              <small>
                <bdi>× {line.quantity}</bdi>
              </small>
            </span>
            <Amount price={price} />
          </li>
        ))}
      </ul>
      {priced.length > 0 && (
        <p class="sum">
          <span>{say('together')}</span> <Amount price={{ cents, currency: priced[0]!.currency }} />
        </p>
      )}
    </div>
  );
}

const PlaceCard = ({ place }: { place: Place }) => (
  <div class="place-card">
    <span class="map" aria-hidden="true">
      <Icon name="pin" />
    </span>
    {place.name && <strong dir="auto">{place.name}</strong>}
    {place.address && <span dir="auto">{place.address}</span>}
    <bdi class="small" dir="ltr">
      {place.latitude}, {place.longitude}
    </bdi>
  </div>
);

const ContactCard = ({ contacts }: { contacts: readonly Contact[] }) => (
  <ul class="contact-card">
    {contacts.map(({ name, phones }) => (
      <li key={name.formatted_name}>
        <Icon name="people" />
        <span>
          <Own text={name.formatted_name} />
          <bdi class="small" dir="ltr">
            {phones.map(({ phone }) => phone).join(', ')}
          </bdi>
        </span>
      </li>
    ))}
  </ul>
);

function CallCard({ duration }: { duration: number | undefined }) {
  const { say } = useTongue();
  return (
    <p class="call-card">
      <Icon name="call" />
      <span>
        {say('call')} · {duration ? say('seconds', { count: duration }) : say('noAnswer')}
      </span>
    </p>
  );
}

/** Of the template's header, an image is one; everything else that is unknown is for saving. */
function kindOfFile({ type, payload }: Message): string {
  if (type !== 'template') return type;
  const parameters = (payload.template?.components ?? []).flatMap((part) => part.parameters ?? []);
  return parameters.some((parameter) => parameter.type === 'image') ? 'image' : 'document';
}

function FileCard({ message, file }: { message: Message; file: File }) {
  const { say } = useTongue();
  const { number, who } = useInChat();
  if (file.id === undefined) return <p dir="ltr">{file.link ?? say('document')}</p>;
  const url = phoneFile(number, who.customer, file.id);
  switch (kindOfFile(message)) {
    case 'image':
      return <img src={url} alt={file.caption || say('photo')} />;
    case 'sticker':
      return <img class="sticker" src={url} alt={say('sticker')} />;
    case 'video':
      // biome-ignore lint/a11y/useMediaCaption: what customers film has none
      return <video src={url} controls aria-label={say('video')} />;
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: what customers say has none
      return <audio src={url} controls aria-label={file.voice ? say('voice') : say('sound')} />;
    default:
      return (
        <a class="file-card" href={url} download={file.filename || 'document'}>
          <Icon name="file" /> <bdi>{file.filename || say('document')}</bdi>
        </a>
      );
  }
}

export interface Opening {
  form(flow: Flow): void;
  place(replyTo: string): void;
}

/** Buttons of menus, templates and forms; a list folds out as it does on a phone. */
function Taps({ message, answered, open }: { message: Message; answered: boolean; open: Opening }) {
  const { say } = useTongue();
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
        {say('sharePlace')}
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
        <bdi>{answered ? say('answered') : flow.cta}</bdi>
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
function Acts({ message }: { message: Message }) {
  const { say } = useTongue();
  const { act, replyTo } = useInChat();
  const { wamid, direction } = message;
  const acting = (run: () => unknown) => (event: MouseEvent) => {
    (event.currentTarget as Element).closest('details')!.open = false;
    run();
  };
  return (
    <details class="acts">
      <summary aria-label={say('actions')} title={say('actions')}>
        ⋯
      </summary>
      <div>
        {EMOJIS.map((emoji) => (
          <button
            key={emoji}
            type="button"
            aria-label={say('react', { emoji })}
            onClick={acting(() => act({ reaction: { to: wamid, emoji } }))}
          >
            {emoji}
          </button>
        ))}
        <button type="button" onClick={acting(() => act({ reaction: { to: wamid } }))}>
          {say('noReaction')}
        </button>
        <button type="button" onClick={acting(() => replyTo(message))}>
          {say('reply')}
        </button>
        {direction === 'sent' && (
          <button type="button" onClick={acting(() => act({ revoke: { wamid } }))}>
            {say('remove')}
          </button>
        )}
      </div>
    </details>
  );
}

interface BubbleProps {
  readonly message: Message;
  readonly changes: Changes;
  readonly open: Opening;
}

export function Bubble({ message, changes, open }: BubbleProps) {
  const { say, time } = useTongue();
  const { wamid, at, direction, payload, template, file, statuses, replyTo } = message;
  if (changes.deleted.has(wamid))
    return (
      <li class={`bubble ${direction} gone`}>
        <span class="words">{say('removed')}</span>
      </li>
    );
  const quoted = replyTo === undefined ? undefined : changes.byWamid.get(replyTo);
  const edited = changes.edited.get(wamid);
  const words = edited ?? saidIn(message, say, quoted?.flow);
  const reactions = (['sent', 'received'] as const)
    .map((by) => changes.reactions.get(`${wamid} ${by}`))
    .filter(Boolean);
  return (
    <li class={`bubble ${direction}`}>
      {payload.context?.forwarded && <em class="small">{say('forwarded')}</em>}
      {quoted !== undefined && (
        <blockquote dir="auto">
          {firstLine(saidIn(quoted, say)) || say(quoted.payload.order ? 'cart' : 'message')}
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
          {edited !== undefined && <small> ({say('edited')})</small>}
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
        {statuses.includes('failed') && <strong class="failed">{say('notDelivered')}</strong>}
        <time dateTime={at}>{time(at)}</time>
        <Acts message={message} />
      </span>
    </li>
  );
}
