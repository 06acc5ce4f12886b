/** Attachments of a message: a cart, a place, contacts, a call, a file. */
import { phoneFile } from '../api/client.js';
import { Icon } from '../ui/icons.js';
import { Own } from '../ui/parts.js';
import { useInChat } from './chat.js';
import { Amount, priceOf, Tile, titleOf } from './products.js';
import type { Cart, Contact, File, Message, Place } from './wire.js';
import { useTongue } from './words/words.js';

export function CartCard({ cart }: { cart: Cart }) {
  const { translate } = useTongue();
  const items = useInChat().items.data ?? [];
  const lines = cart.product_items.map((line) => {
    const item = items.find(({ retailerId }) => retailerId === line.product_retailer_id);
    const { item_price: price, currency = 'USD' } = line;
    const each = price === undefined ? item && priceOf(item) : { cents: Math.round(price * 100), currency };
    return { line, item, price: each && { ...each, cents: each.cents * line.quantity } };
  });
  const priced = lines.flatMap(({ price }) => price ?? []);
  const cents = priced.reduce((all, one) => all + one.cents, 0);
  return (
    <div class="cart-card">
      <ul>
        {lines.map(({ line, item, price }) => (
          <li key={line.product_retailer_id}>
            <Tile name={item?.data.title ?? line.product_retailer_id} image={item?.data.image_link} />
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
          <span>{translate('together')}</span> <Amount price={{ cents, currency: priced[0]!.currency }} />
        </p>
      )}
    </div>
  );
}

export const PlaceCard = ({ place }: { place: Place }) => (
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

export const ContactCard = ({ contacts }: { contacts: readonly Contact[] }) => (
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

export function CallCard({ duration }: { duration: number | undefined }) {
  const { translate } = useTongue();
  return (
    <p class="call-card">
      <Icon name="call" />
      <span>
        {translate('call')} · {duration ? translate('seconds', { count: duration }) : translate('noAnswer')}
      </span>
    </p>
  );
}

/** The header of a template is an image; all other unknown kinds are for download. */
function kindOfFile({ type, payload }: Message): string {
  if (type !== 'template') return type;
  const parameters = (payload.template?.components ?? []).flatMap((part) => part.parameters ?? []);
  return parameters.some((parameter) => parameter.type === 'image') ? 'image' : 'document';
}

export function FileCard({ message, file }: { message: Message; file: File }) {
  const { translate } = useTongue();
  const { number, who } = useInChat();
  if (file.id === undefined) return <p dir="ltr">{file.link ?? translate('document')}</p>;
  const url = phoneFile(number, who.customer, file.id);
  switch (kindOfFile(message)) {
    case 'image':
      return <img src={url} alt={file.caption || translate('photo')} />;
    case 'sticker':
      return <img class="sticker" src={url} alt={translate('sticker')} />;
    case 'video':
      // biome-ignore lint/a11y/useMediaCaption: recordings of customers have no captions
      return <video src={url} controls aria-label={translate('video')} />;
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: recordings of customers have no captions
      return <audio src={url} controls aria-label={file.voice ? translate('voice') : translate('sound')} />;
    default:
      return (
        <a class="file-card" href={url} download={file.filename || 'document'}>
          <Icon name="file" /> <bdi>{file.filename || translate('document')}</bdi>
        </a>
      );
  }
}
