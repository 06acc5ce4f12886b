/**
 * The sandbox's customer: selection, phone, and the store's view next to it. The address has all of it except the cart.
 */
import { useCallback, useRef, useState } from 'preact/hooks';
import type { ConsoleNumberBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { readConsole } from '../api/client.js';
import { useTail } from '../api/tail.js';
import { useLoad } from '../ui/load.js';
import { refine, usePlace } from '../ui/router.js';
import { Empty, Shown } from '../ui/states.js';
import { phoneOf, useChat, useCustomers, type Who } from './chat.js';
import { Device } from './device.js';
import './phone.css';
import { StoreSees } from './storeSees.js';
import { LANGUAGES, languageOf, NAMES, Spoken, tongueOf, useTongue } from './words/words.js';

const SOMEBODY: Who = { customer: '+252611234567', name: 'Asha' };
/** Events within this time cause one reload, in ms. */
const TOGETHER_MS = 150;

const whoOf = (query: URLSearchParams): Who => ({
  customer: (query.get('customer') ?? SOMEBODY.customer).trim(),
  name: (query.get('name') ?? SOMEBODY.name).trim(),
});

interface WhoProps {
  readonly who: Who;
  readonly numbers: readonly ConsoleNumberBody[];
  readonly number: string;
  readonly beat: number;
}

function WhoYouAre({ who, numbers, number, beat }: WhoProps) {
  const { translate, language, dir } = useTongue();
  const known = useCustomers(number, beat);
  const keyOf = ({ phone, userId }: (typeof known)[number]): string => phone ?? userId ?? '';
  const isKnown = known.some((one) => keyOf(one) === who.customer);
  return (
    <form
      class="who fields"
      dir={dir}
      lang={language}
      aria-label={translate('whoYouAre')}
      onSubmit={(event) => event.preventDefault()}
    >
      <div class="tabs" role="group" aria-label={translate('language')}>
        {LANGUAGES.map((one) => (
          <button
            key={one}
            type="button"
            lang={one}
            aria-pressed={one === language}
            onClick={() => refine({ lang: one === 'en' ? undefined : one })}
          >
            {NAMES[one]}
          </button>
        ))}
      </div>
      {known.length > 0 && (
        <label>
          {translate('wroteBefore')}{' '}
          <select
            class="known"
            dir="ltr"
            value={isKnown ? who.customer : ''}
            onChange={({ currentTarget: { value } }) =>
              refine({ customer: value, name: known.find((one) => keyOf(one) === value)?.name })
            }
          >
            {!isKnown && <option value="">{translate('somebodyNew')}</option>}
            {known.map((one) => (
              <option key={keyOf(one)} value={keyOf(one)}>
                {[one.name, keyOf(one)].filter(Boolean).join(' · ')}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        {translate('yourPhone')}{' '}
        <input
          dir="ltr"
          value={who.customer}
          maxLength={140}
          size={13}
          spellcheck={false}
          required
          onChange={({ currentTarget }) => refine({ customer: currentTarget.value.trim() })}
        />
      </label>
      <label>
        {translate('yourName')}{' '}
        <input
          dir="auto"
          value={who.name}
          maxLength={80}
          size={9}
          onChange={({ currentTarget }) => refine({ name: currentTarget.value.trim() })}
        />
      </label>
      {numbers.length > 1 && (
        <label>
          {translate('store')}{' '}
          <select value={number} onChange={({ currentTarget }) => refine({ number: currentTarget.value })}>
            {numbers.map(({ phoneNumberId, displayPhoneNumber }) => (
              <option key={phoneNumberId} value={phoneNumberId}>
                {displayPhoneNumber}
              </option>
            ))}
          </select>
        </label>
      )}
    </form>
  );
}

/** Grows when something happens in the store. */
function useBeat(workspaceId: string): number {
  const [beat, setBeat] = useState(0);
  const waiting = useRef(false);
  const add = useCallback(() => {
    if (waiting.current) return;
    waiting.current = true;
    setTimeout(() => {
      waiting.current = false;
      setBeat((n) => n + 1);
    }, TOGETHER_MS);
  }, []);
  useTail('/tail', { workspace: workspaceId }, true, undefined, add);
  return beat;
}

function Numbered({ store, numbers }: { store: ConsoleStoreBody; numbers: readonly ConsoleNumberBody[] }) {
  const { query } = usePlace();
  const beat = useBeat(store.workspaceId);
  const who = whoOf(query);
  const requested = query.get('number');
  const number = (numbers.find(({ phoneNumberId }) => phoneNumberId === requested) ?? numbers[0]!).phoneNumberId;
  const chat = useChat(number, who, beat);
  return (
    <>
      <WhoYouAre who={who} numbers={numbers} number={number} beat={beat} />
      <div class="beside">
        <Device chat={chat} store={store.name} />
        <StoreSees store={store} phone={phoneOf(who)} beat={beat} />
      </div>
    </>
  );
}

export default function PhonePage({ store }: { store: ConsoleStoreBody }) {
  const { query } = usePlace();
  const { workspaceId } = store;
  const tongue = tongueOf(languageOf(query.get('lang')), store.timezone);
  const load = useLoad(`numbers ${workspaceId}`, () => readConsole('/phone', {}, { workspace: workspaceId }));
  return (
    <Spoken.Provider value={tongue}>
      <section class="page phone-page">
        <header class="title">
          <h1>Phone</h1>
          <p class="fine">
            A customer in the sandbox. Everything that you do here reaches the service as signed messages of the
            channel.
          </p>
        </header>
        <Shown load={load} rows={8}>
          {({ numbers }) =>
            numbers.length === 0 ? (
              <Empty title={tongue.translate('noNumber')}>
                {tongue.translate('noNumberHow')} <code>npx suuq admin numbers connect --workspace {workspaceId}</code>
              </Empty>
            ) : (
              <Numbered store={store} numbers={numbers} />
            )
          }
        </Shown>
      </section>
    </Spoken.Provider>
  );
}
