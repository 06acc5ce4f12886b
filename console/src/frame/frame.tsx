/** The frame of every page: navigation, the current store and the signed-in person. */
import { type ComponentChildren, Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleStoreBody } from '../../../api/console/contract.js';
import { change } from '../api/client.js';
import type { Host } from '../embed/host.js';
import { words } from '../ui/format.js';
import { Icon, type IconName } from '../ui/icons.js';
import type { Destination, PageContext } from '../ui/pageContext.js';
import { Own } from '../ui/parts.js';
import { canSee, type Scope, seesOneStore } from '../ui/permission.js';
import { go, hrefOf } from '../ui/router.js';
import { StoreSelect } from '../ui/storeSelect.js';
import { nextTheme, setTheme, themeNow } from '../ui/theme.js';
import { Palette, usePalette } from './palette.js';
import { useUnread } from './unread.js';

/** Pages that this person can open. */
export function destinations({ session }: PageContext, store: ConsoleStoreBody | undefined): readonly Destination[] {
  /** `below`: pages that are reached from this one. */
  const of = (page: string, name: string, icon: IconName, ...below: readonly string[]): Destination => ({
    href: hrefOf(`/s/${store?.workspaceId}/${page}`),
    name,
    icon,
    group: 'Store',
    is: (path) => path.startsWith('/s/') && [page, ...below].includes(path.split('/')[3] ?? ''),
  });
  const shared = (page: string, name: string, icon: IconName, group: Destination['group']): Destination => ({
    href: hrefOf(`/${page}`),
    name,
    icon,
    group,
    is: (path) => path.startsWith(`/${page}`),
  });
  const needs = (scope: Scope, ...pages: readonly Destination[]) => (canSee(session, scope) ? pages : []);
  const ofStore =
    store === undefined
      ? []
      : [
          ...needs('commerce:manage', of('home', 'Home', 'home')),
          ...needs('orders:view', of('orders', 'Orders', 'orders')),
          ...needs('inbox:reply', of('inbox', 'Inbox', 'inbox')),
          ...needs(
            'commerce:manage',
            of('catalog', 'Catalog', 'catalog', 'categories'),
            of('promotions', 'Promotions', 'promotions', 'number-lists'),
            of('delivery', 'Delivery', 'delivery'),
          ),
          ...needs('payments:manage', of('payments', 'Payments', 'payments')),
          ...needs('commerce:manage', of('cart', 'Try a cart', 'cart')),
          ...needs('console:open', of('moments', 'Compare versions', 'moments')),
          ...needs('developers:manage', of('webhooks', 'Webhooks', 'webhooks')),
          ...needs('templates:manage', of('templates', 'Templates', 'templates')),
          ...needs('members:view', of('members', 'Members', 'people')),
          ...(session.phone === true ? [of('phone', 'Phone', 'phone')] : []),
        ];
  return [
    ...ofStore,
    ...needs('console:open', shared('events', 'Event log', 'events', 'History')),
    ...needs('console:open', shared('requests', 'Requests', 'requests', 'History')),
    ...(seesOneStore(session)
      ? []
      : [shared('machine', 'System', 'machine', 'Service'), shared('instances', 'Instances', 'instances', 'Service')]),
    ...needs('console:open', shared('admin', 'Administration', 'admin', 'Service')),
    ...(session.role === 'operator' ? [shared('sessions', 'Sessions', 'people', 'Service')] : []),
  ];
}

const ROLES = { operator: 'Operator', auditor: 'Auditor · your reads are recorded', store: 'Store' } as const;

/** Returns the signed-in person: a member by name and role. */
const personOf = ({ role, member }: PageContext['session']): string =>
  role === 'member' ? [member?.name, words(member?.role ?? '')].filter(Boolean).join(' · ') : ROLES[role];

function StoreChoice({
  known: { stores, moreStores },
  store,
  path,
}: {
  known: PageContext;
  store: ConsoleStoreBody;
  path: string;
}) {
  if (stores.length === 1)
    return (
      <p class="store-name">
        <Own text={store.name} />
      </p>
    );
  const page = path.startsWith('/s/') ? path.split('/')[3] : 'home';
  return (
    <label class="store-choice" for="store-choice">
      <span class="unseen">Store</span>
      <StoreSelect
        {...{ stores, moreStores }}
        id="store-choice"
        value={store.workspaceId}
        choose={(workspaceId) => go(hrefOf(`/s/${workspaceId}/${page}`))}
      />
    </label>
  );
}

function ThemeSwitch() {
  const [theme, setShown] = useState(themeNow);
  const turn = (): void => {
    const next = nextTheme(theme);
    setTheme(next);
    setShown(next);
  };
  return (
    <button type="button" class="plain" onClick={turn} title={`Theme: ${theme}`}>
      <Icon name="theme" />
      <span>Colours: {theme}</span>
    </button>
  );
}

export interface FrameProps {
  readonly known: PageContext;
  readonly store: ConsoleStoreBody | undefined;
  readonly path: string;
  /** In a partner's frame, its page: the sign-in and the theme are that page's. */
  readonly host?: Pick<Host, 'view' | 'post'> | undefined;
  onOut(): void;
  readonly children: ComponentChildren;
}

export function Frame({ known, store, path, host, onOut, children }: FrameProps) {
  const palette = usePalette();
  useUnread(host, known.session, store);
  const all = destinations(known, store);
  const signOut = (): void => void change('/sign-out', {}, {}).finally(onOut);
  if (host?.view !== undefined)
    return (
      <div class="frame one">
        <main id="page" tabIndex={-1}>
          {known.stores.length > 1 && store !== undefined && <StoreChoice known={known} store={store} path={path} />}
          {children}
        </main>
      </div>
    );
  return (
    <div class="frame">
      <a class="skip" href="#page">
        Skip to content
      </a>
      <header class="side">
        {host === undefined && (
          <a class="brand" href={hrefOf('')}>
            <span class="mark" aria-hidden="true">
              S
            </span>
            Suuq
          </a>
        )}
        {store !== undefined && <StoreChoice known={known} store={store} path={path} />}
        <nav aria-label="Pages">
          {all.map(({ href, name, icon, group, is }, i) => (
            <Fragment key={name}>
              {group !== all[i - 1]?.group && <p class="nav-head">{group}</p>}
              <a href={href} aria-current={is(path) ? 'page' : undefined}>
                <Icon name={icon} />
                <span>{name}</span>
              </a>
            </Fragment>
          ))}
        </nav>
        <div class="foot">
          <button type="button" class="plain" onClick={palette.open}>
            <Icon name="search" />
            <span>
              Go to <kbd>Ctrl K</kbd>
            </span>
          </button>
          {host === undefined && (
            <>
              <ThemeSwitch />
              <button type="button" class="plain" onClick={signOut}>
                <Icon name="out" />
                <span>Sign out</span>
              </button>
            </>
          )}
          <p class="fine role">
            <Own text={personOf(known.session)} />
          </p>
        </div>
      </header>
      <main id="page" tabIndex={-1}>
        {children}
      </main>
      {palette.isOpen && <Palette known={known} destinations={all} store={store} close={palette.close} />}
    </div>
  );
}
