/** The phone itself: the chat with a store, what is written there, and the sheets that come over it. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from '../ui/icons.js';
import { Own } from '../ui/parts.js';
import { Shown } from '../ui/states.js';
import { Bubble } from './bubble.js';
import { useCart } from './cart.js';
import { CartSheet, CatalogSheet } from './catalogSheet.js';
import { type Chat, InChat, isShown, useChanges, useInChat } from './chat.js';
import { FormSheet } from './formSheet.js';
import { firstLine, textOf } from './messageText.js';
import { Tile } from './products.js';
import { ContactSheet, fileMessage, PlaceSheet } from './shareSheets.js';
import type { Flow, Message } from './wire.js';
import { useTongue } from './words/words.js';

const LONGEST = 1000;
/** So near to its end, in px, a chat follows what comes. */
const NEAR_END = 60;
const TAKEN = 'image/*,video/*,audio/*,application/pdf,text/plain,.doc,.docx,.xls,.xlsx,.ppt,.pptx';

type Opened =
  | { readonly sheet: 'catalog' | 'cart' | 'contact' }
  | { readonly sheet: 'place'; readonly replyTo?: string }
  | { readonly sheet: 'form'; readonly flow: Flow };

function Messages({ all, open, label }: { all: readonly Message[]; open: (what: Opened) => void; label: string }) {
  const { translate } = useTongue();
  const { number, who } = useInChat();
  const changes = useChanges(all);
  const box = useRef<HTMLOListElement>(null);
  const low = useRef(true);
  const key = `${number} ${who.customer}`;
  useEffect(() => {
    low.current = true;
  }, [key]);
  useLayoutEffect(() => {
    if (low.current) box.current!.scrollTop = box.current!.scrollHeight;
  }, [all.length, key]);
  const opening = {
    form: (flow: Flow) => open({ sheet: 'form', flow }),
    place: (replyTo: string) => open({ sheet: 'place', replyTo }),
  };
  return (
    <ol
      class="chat"
      ref={box}
      tabIndex={0}
      aria-label={label}
      aria-live="polite"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        low.current = scrollHeight - scrollTop - clientHeight < NEAR_END;
      }}
    >
      {all.length === 0 && <li class="hint">{translate('emptyChat')}</li>}
      {all.filter(isShown).map((message) => (
        <Bubble key={message.wamid} message={message} changes={changes} open={opening} />
      ))}
    </ol>
  );
}

/** Field and buttons to write and share. */
function Composer({ open }: { open: (what: Opened) => void }) {
  const { translate } = useTongue();
  const { act, call, complain, replying, replyTo } = useInChat();
  const [text, setText] = useState('');
  const file = useRef<HTMLInputElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const more = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (replying !== undefined) field.current?.focus();
  }, [replying]);
  async function sendText(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (text.trim() === '') return;
    // Clears the field at once, so that the next message can be written while this one is sent.
    setText('');
    if (!(await act({ text }))) setText((now) => now || text);
  }
  async function sendFile(): Promise<void> {
    const [chosen] = file.current!.files ?? [];
    file.current!.value = '';
    if (chosen === undefined) return;
    const made = await fileMessage(chosen, text.trim());
    if (made === undefined) complain(translate('tooLarge'));
    else if ((await act(made.message)) && made.captioned) setText((now) => (now === text ? '' : now));
  }
  const shares: readonly (readonly [IconName, string, () => unknown])[] = [
    ['photo', translate('photo'), () => file.current!.click()],
    ['voice', translate('voice'), () => act({ voice: true })],
    ['pin', translate('place'), () => open({ sheet: 'place' })],
    ['people', translate('contact'), () => open({ sheet: 'contact' })],
    ['call', translate('call'), call],
  ];
  return (
    <footer class="composer">
      {replying !== undefined && (
        <p class="replying">
          <span dir="auto">{translate('replyingTo', { text: firstLine(textOf(replying, translate)) })}</span>
          <button type="button" class="tap" onClick={() => replyTo(undefined)} aria-label={translate('cancel')}>
            <Icon name="close" />
          </button>
        </p>
      )}
      <form onSubmit={sendText}>
        <details class="shares" ref={more}>
          <summary aria-label={translate('share')} title={translate('share')}>
            <Icon name="plus" />
          </summary>
          <div>
            {shares.map(([icon, name, run]) => (
              <button
                key={icon}
                type="button"
                onClick={() => {
                  more.current!.open = false;
                  void run();
                }}
              >
                <Icon name={icon} /> {name}
              </button>
            ))}
          </div>
        </details>
        <input type="file" ref={file} hidden accept={TAKEN} onChange={sendFile} />
        <input
          class="field"
          ref={field}
          dir="auto"
          value={text}
          maxLength={LONGEST}
          aria-label={translate('message')}
          placeholder={translate('message')}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit" class="tap send" aria-label={translate('send')} title={translate('send')}>
          <Icon name="send" />
        </button>
      </form>
    </footer>
  );
}

export function Device({ chat, store }: { chat: Chat; store: string }) {
  const { translate, dir, language } = useTongue();
  const [opened, open] = useState<Opened>();
  const cart = useCart(`${chat.number} ${chat.who.customer}`, chat.items.data ?? []);
  const close = (): void => open(undefined);
  const label = translate('chatWith', { store });
  return (
    <InChat.Provider value={chat}>
      <section class="device" dir={dir} lang={language} aria-label={translate('phone')}>
        <div class="screen" inert={opened !== undefined}>
          <header class="contact">
            <Tile name={store} />
            <strong>
              <Own text={store} />
            </strong>
            <button type="button" class="tap wide" onClick={() => open({ sheet: 'catalog' })}>
              <Icon name="catalog" /> {translate('catalog')}
            </button>
            <button
              type="button"
              class="tap"
              onClick={() => open({ sheet: 'cart' })}
              aria-label={`${translate('cart')} · ${translate('pieces', { count: cart.pieces })}`}
            >
              <Icon name="cart" />
              {cart.pieces > 0 && <span class="count">{cart.pieces}</span>}
            </button>
          </header>
          <p class="problem" role="status">
            {chat.problem}
          </p>
          <Shown load={chat.messages} rows={4}>
            {(all) => <Messages all={all} open={open} label={label} />}
          </Shown>
          <Composer open={open} />
        </div>
        {opened?.sheet === 'catalog' && (
          <CatalogSheet cart={cart} close={close} openCart={() => open({ sheet: 'cart' })} />
        )}
        {opened?.sheet === 'cart' && <CartSheet cart={cart} close={close} />}
        {opened?.sheet === 'place' && <PlaceSheet close={close} replyTo={opened.replyTo} />}
        {opened?.sheet === 'contact' && <ContactSheet close={close} />}
        {opened?.sheet === 'form' && <FormSheet flow={opened.flow} close={close} />}
      </section>
    </InChat.Provider>
  );
}
