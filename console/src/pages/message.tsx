/** One message of a conversation: its text, picture, sound or place. */
import type { ConsoleStoreBody } from '../../../api/console/contract.js';
import { bytesUrl } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { useBytes } from '../ui/bytes.js';
import { count, words } from '../ui/format.js';
import { Own, When } from '../ui/parts.js';

export type Message = Schemas['MessageBody'];

const FILE = '/workspaces/{workspaceId}/files/{fileId}';

interface OfMessage {
  readonly message: Message;
  readonly store: ConsoleStoreBody;
}

function Media({ message: { media, text, type }, store }: OfMessage) {
  const isReady = media?.status === 'ready' && media.fileId !== undefined;
  const url = useBytes(isReady ? bytesUrl(FILE, { workspaceId: store.workspaceId, fileId: media.fileId! }) : undefined);
  if (media === undefined) return null;
  const { status, fileId, filename, mimeType = '', voice } = media;
  if (status === 'pending') return <p class="fine">The file is being downloaded…</p>;
  if (status === 'failed' || fileId === undefined) return <p class="bad">The file could not be fetched.</p>;
  if (url === undefined) return <p class="fine">The file is being loaded…</p>;
  const called = text || filename || words(type);
  if (mimeType.startsWith('image/'))
    return (
      <a href={url} target="_blank" rel="noreferrer">
        <img class="photo" src={url} alt={called} loading="lazy" />
      </a>
    );
  if (mimeType.startsWith('audio/'))
    // biome-ignore lint/a11y/useMediaCaption: recordings of customers have no captions
    return <audio controls preload="metadata" src={url} aria-label={voice ? 'Voice note' : called} />;
  if (mimeType.startsWith('video/'))
    // biome-ignore lint/a11y/useMediaCaption: recordings of customers have no captions
    return <video class="photo" controls preload="metadata" src={url} aria-label={called} />;
  return (
    <a href={url} download={filename}>
      <Own text={filename ?? 'A file'} />
    </a>
  );
}

/** A place on the map: a link that is marked as leaving the console. */
function Place({ location }: { location: NonNullable<Message['location']> }) {
  const { latitude, longitude, name, address } = location;
  const at = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  const href = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
  return (
    <p class="place">
      {name !== undefined && <Own text={name} />} {address !== undefined && <Own text={address} />}{' '}
      <a href={href} target="_blank" rel="noreferrer">
        {at} on a map (opens another site)
      </a>
    </p>
  );
}

function Cart({ order: { items } }: { order: NonNullable<Message['order']> }) {
  return (
    <ul class="said-items">
      {items.map(({ productRetailerId, quantity }) => (
        <li key={productRetailerId}>
          {count(quantity)} × <Own text={productRetailerId} />
        </li>
      ))}
    </ul>
  );
}

/** Referrals, address cards, errors and the like, as the channel sent them. */
function MoreOfChannel({ channel }: { channel: object }) {
  return (
    <details>
      <summary class="fine">More from the channel</summary>
      <pre>{JSON.stringify(channel, null, 2)}</pre>
    </details>
  );
}

/** Everything of the message besides its text. */
function Contents({ message, store }: OfMessage) {
  const { location, order, choice, menu, template, call, locationRequest, details } = message;
  return (
    <>
      <Media message={message} store={store} />
      {location !== undefined && <Place location={location} />}
      {order !== undefined && <Cart order={order} />}
      {choice !== undefined && (
        <p>
          <span class="fine">chose</span> <Own text={choice.title} />
        </p>
      )}
      {menu !== undefined && <p class="fine">{menu.options.map(({ title }) => title).join(' · ')}</p>}
      {template !== undefined && <p class="fine">template {template.name}</p>}
      {locationRequest && <p class="fine">requests a location</p>}
      {details?.edited && <p class="fine">edits an earlier message</p>}
      {details?.cut !== undefined && <p class="fine">truncated</p>}
      {details?.channel !== undefined && <MoreOfChannel channel={details.channel} />}
      {call !== undefined && <p class="fine">{call.missed ? 'Missed call' : 'Call'}</p>}
    </>
  );
}

/** Names of messages that have neither text nor attachments. */
const KINDS: Readonly<Partial<Record<Message['type'], string>>> = {
  order: 'A cart',
  unsupported: 'Unsupported message',
  sticker: 'A sticker',
};

const BY = { inbound: 'in', outbound: 'out', internal: 'note' } as const;

export function Bubble({ message, store, by }: OfMessage & { by: string | undefined }) {
  const { direction, text, deleted, status, createdAt, errorMessage, reactions, type } = message;
  const kind = message.details?.notice === undefined ? KINDS[type] : 'Channel notice';
  return (
    <li class={`bubble ${BY[direction]}`}>
      {deleted ? (
        <p class="fine">deleted</p>
      ) : (
        <>
          {kind !== undefined && <p class="fine">{kind}</p>}
          <Contents message={message} store={store} />
          {text !== '' && (
            <p class="text">
              <Own text={text} />
            </p>
          )}
        </>
      )}
      {reactions.length > 0 && <p class="reactions">{reactions.map(({ emoji }) => emoji).join(' ')}</p>}
      <p class="fine meta">
        <When at={createdAt} zone={store.timezone} />
        {direction === 'outbound' && ` · ${by === undefined ? '' : `${by} · `}${status}`}
        {errorMessage !== undefined && <span class="bad"> {errorMessage}</span>}
      </p>
    </li>
  );
}
