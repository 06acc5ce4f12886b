/** Anywhere by a few letters: pages, stores, an order or an event by its id. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ConsoleCommandBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { readConsole } from '../api/client.js';
import { areaOf } from '../pages/admin.js';
import { isNew } from '../pages/adminRow.js';
import { words } from '../ui/format.js';
import { useLoad, useSettled } from '../ui/load.js';
import type { Destination, PageContext } from '../ui/pageContext.js';
import { go, hrefOf } from '../ui/router.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MOST = 12;
/** It names the option that Enter takes, which a plain field cannot. */
const COMBOBOX = { role: 'combobox' } as const;

export function usePalette() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  return { isOpen, open: () => setOpen(true), close: () => setOpen(false) };
}

interface Choice {
  readonly name: string;
  readonly kind: string;
  readonly href: string;
}

/** Areas and commands of the operator, by what is typed for them. */
function commandChoices(commands: readonly ConsoleCommandBody[]): readonly Choice[] {
  const areas = [...new Set(commands.map(areaOf))];
  return [
    ...areas.map((area) => ({ name: words(area), kind: 'Administration', href: hrefOf(`/admin/${area}`) })),
    ...commands.filter(isNew).map(({ name, typed }) => ({
      ...{ name: typed.replace('suuq admin ', ''), kind: 'Command' },
      href: hrefOf(`/admin/${areaOf({ name })}`, { do: name }),
    })),
  ];
}

function choices(
  typed: string,
  known: PageContext,
  pages: readonly Destination[],
  store: ConsoleStoreBody | undefined,
  commands: readonly ConsoleCommandBody[],
) {
  const text = typed.trim();
  const byId: Choice[] = [];
  if (UUID.test(text)) {
    if (store !== undefined)
      byId.push({ name: text, kind: 'Order', href: hrefOf(`/s/${store.workspaceId}/orders/${text}`) });
    byId.push({ name: text, kind: 'Store', href: hrefOf(`/s/${text.toLowerCase()}/orders`) });
    byId.push({ name: text, kind: 'Chain of causes', href: hrefOf('/events', { correlation: text }) });
    byId.push({ name: text, kind: 'Request', href: hrefOf('/requests', { request: text }) });
  }
  if (/^\d+$/.test(text)) {
    if (store !== undefined)
      byId.push({
        name: `Order ${text}`,
        kind: store.name,
        href: hrefOf(`/s/${store.workspaceId}/orders`, { number: text }),
      });
    byId.push({ name: `Event ${text}`, kind: 'Event', href: hrefOf(`/events/${text}`) });
  }
  const all: Choice[] = [
    ...pages.map(({ name, href }) => ({ name, kind: 'Page', href })),
    ...commandChoices(commands),
    ...known.stores.map(({ name, workspaceId }) => ({ name, kind: 'Store', href: hrefOf(`/s/${workspaceId}/orders`) })),
  ];
  const found = all.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
  return [...byId, ...found].slice(0, MOST);
}

/** Delay between typing and the search, in ms. */
const TYPED_MS = 250;

/** Adds the stores that the service finds for the typed text, if not all stores are loaded. */
function useFound(known: PageContext, typed: string): PageContext {
  const search = useSettled(known.moreStores === undefined ? '' : typed.trim(), TYPED_MS);
  const { data } = useLoad(`stores ${search}`, async () =>
    search === '' ? [] : (await readConsole('/stores', {}, { search })).stores,
  );
  const listed = new Set(known.stores.map(({ workspaceId }) => workspaceId));
  return { ...known, stores: [...known.stores, ...(data ?? []).filter((one) => !listed.has(one.workspaceId))] };
}

export interface PaletteProps {
  readonly known: PageContext;
  readonly destinations: readonly Destination[];
  readonly store: ConsoleStoreBody | undefined;
  close(): void;
}

export function Palette({ known, destinations, store, close }: PaletteProps) {
  const box = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const { data } = useLoad('commands', () => readConsole('/commands'));
  const found = choices(typed, useFound(known, typed), destinations, store, data?.commands ?? []);
  // With what is drawn: what is typed right after the shortcut is its.
  useLayoutEffect(() => box.current?.showModal(), []);
  const take = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    close();
    go(choice.href);
  };
  const pressed = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      setAt((at + step + found.length) % found.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      take(found[at]);
    }
  };
  return (
    <dialog class="palette" ref={box} onClose={close} aria-label="Go to">
      <input
        type="text"
        list={undefined}
        {...COMBOBOX}
        placeholder="A page, a store, an order’s number or id…"
        aria-label="Go to"
        aria-expanded="true"
        aria-controls="choices"
        aria-activedescendant={found.length === 0 ? undefined : `choice-${at}`}
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={pressed}
      />
      <div id="choices" role="listbox" aria-label="Found">
        {found.map((choice, i) => (
          <div
            key={choice.href}
            id={`choice-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === at}
            onClick={() => take(choice)}
            onKeyDown={pressed}
          >
            <bdi>{choice.name}</bdi> <span class="fine">{choice.kind}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="fine none">No results.</p>}
    </dialog>
  );
}
