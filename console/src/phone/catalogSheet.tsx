/** The store's catalog, and the cart that is filled from it. */
import { useState } from 'preact/hooks';
import { Icon } from '../ui/icons.js';
import { Shown } from '../ui/states.js';
import type { Cart } from './cart.js';
import { useInChat } from './chat.js';
import { Amount, kindOf, priceBefore, priceOf, Tile, titleOf } from './products.js';
import { Sheet } from './sheet.js';
import type { Item } from './wire.js';
import type { WordKey } from './words/en.js';
import { useTongue } from './words/words.js';

/** Goods that are shown at once; the others are found by searching. */
const MOST_SHOWN = 200;

interface Props {
  readonly cart: Cart;
  close(): void;
}

function Quantity({ cart, retailerId, name }: { cart: Cart; retailerId: string; name: string }) {
  const { translate } = useTongue();
  const quantity = cart.quantity(retailerId);
  if (quantity === 0)
    return (
      <button
        type="button"
        class="tap ring"
        aria-label={translate('add', { name })}
        title={translate('add', { name })}
        onClick={() => cart.add(retailerId, 1)}
      >
        <Icon name="plus" />
      </button>
    );
  return (
    <span class="quantity">
      <button
        type="button"
        class="tap ring"
        aria-label={translate('less', { name })}
        onClick={() => cart.add(retailerId, -1)}
      >
        <Icon name="minus" />
      </button>
      <output aria-live="polite">{quantity}</output>
      <button
        type="button"
        class="tap ring"
        aria-label={translate('more', { name })}
        onClick={() => cart.add(retailerId, 1)}
      >
        <Icon name="plus" />
      </button>
    </span>
  );
}

/** Returns the reason why the item cannot be bought; undefined if it can. */
function hindrance({ review, data }: Item): WordKey | undefined {
  if (data.availability === 'out of stock') return 'outOfStock';
  if (review === 'PENDING') return 'inReview';
  return review === 'REJECTED' ? 'notApproved' : undefined;
}

function Goods({ item, cart }: { item: Item; cart: Cart }) {
  const { translate } = useTongue();
  const { data, retailerId } = item;
  const name = titleOf(item, retailerId);
  const why = hindrance(item);
  const before = priceBefore(item);
  return (
    <li class={why === undefined ? 'good' : 'good hindered'}>
      <Tile name={data.title ?? retailerId} image={data.image_link} />
      <span class="what">
        <bdi>{data.title ?? retailerId}</bdi>
        <small>
          <bdi>{kindOf(item)}</bdi> {why !== undefined && <em>{translate(why)}</em>}
        </small>
        <span class="cost">
          <Amount price={priceOf(item)} />{' '}
          {before !== undefined && (
            <del>
              <Amount price={before} />
            </del>
          )}
        </span>
      </span>
      <Quantity cart={cart} retailerId={retailerId} name={name} />
    </li>
  );
}

const matches = (item: Item, text: string): boolean =>
  titleOf(item, item.retailerId).toLowerCase().includes(text.trim().toLowerCase());

export function CatalogSheet({ cart, close, openCart }: Props & { openCart(): void }) {
  const { translate } = useTongue();
  const { items } = useInChat();
  const [text, setText] = useState('');
  return (
    <Sheet
      title={translate('catalog')}
      close={close}
      foot={
        cart.pieces > 0 && (
          <button type="button" class="main" onClick={openCart}>
            <span>{translate('pieces', { count: cart.pieces })}</span>
            <span>
              {translate('cart')} · <Amount price={cart.total} />
            </span>
          </button>
        )
      }
    >
      <Shown load={items}>
        {(all) => {
          const found = all.filter((item) => matches(item, text));
          if (all.length === 0) return <p class="hint">{translate('emptyCatalog')}</p>;
          return (
            <>
              <input
                type="search"
                class="field"
                aria-label={translate('search')}
                placeholder={translate('search')}
                value={text}
                onInput={({ currentTarget }) => setText(currentTarget.value)}
              />
              {found.length === 0 && <p class="hint">{translate('nothingFound')}</p>}
              <ul class="goods">
                {found.slice(0, MOST_SHOWN).map((item) => (
                  <Goods key={item.retailerId} item={item} cart={cart} />
                ))}
              </ul>
            </>
          );
        }}
      </Shown>
    </Sheet>
  );
}

export function CartSheet({ cart, close }: Props) {
  const { translate } = useTongue();
  const { act } = useInChat();
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  async function send(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const items = cart.lines.map(({ retailerId, quantity }) => ({ retailerId, quantity }));
    const taken = await act({ cart: { items, ...(text.trim() !== '' && { text: text.trim() }) } });
    setBusy(false);
    if (taken) cart.clear();
    close();
  }
  return (
    <Sheet
      title={translate('yourCart')}
      close={close}
      foot={
        cart.pieces > 0 && (
          <button type="submit" form="cart" class="main" disabled={busy}>
            <span>{translate('sendCart')}</span>
            <Amount price={cart.total} />
          </button>
        )
      }
    >
      {cart.pieces === 0 && <p class="hint">{translate('emptyCart')}</p>}
      <form id="cart" onSubmit={send}>
        <ul class="goods">
          {cart.lines.map(({ retailerId, quantity, item }) => {
            const each = item && priceOf(item);
            return (
              <li class="good" key={retailerId}>
                <Tile name={item?.data.title ?? retailerId} image={item?.data.image_link} />
                <span class="what">
                  <bdi>{titleOf(item, retailerId)}</bdi>
                  <span class="cost">
                    <Amount price={each && { ...each, cents: each.cents * quantity }} />
                  </span>
                </span>
                <Quantity cart={cart} retailerId={retailerId} name={titleOf(item, retailerId)} />
              </li>
            );
          })}
        </ul>
        {cart.pieces > 0 && (
          <label class="asked">
            {translate('withTheCart')}
            <input
              class="field"
              maxLength={300}
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
        )}
      </form>
    </Sheet>
  );
}
