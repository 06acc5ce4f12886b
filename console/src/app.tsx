/** Signing in, then the frame with the page that the address names. */
import { useEffect, useState } from 'preact/hooks';
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../api/console/contract.js';
import { Failed, onSignedOut, readConsole, setToken } from './api/client.js';
import { isFramed, setFramedStore } from './api/frameAccess.js';
import { useTail } from './api/tail.js';
import type { Host } from './embed/host.js';
import { destinations, Frame } from './frame/frame.js';
import { Admin } from './pages/admin.js';
import { Catalog } from './pages/catalog.js';
import { Categories } from './pages/categories.js';
import { Delivery } from './pages/delivery.js';
import { Enter, SignedOut } from './pages/enter.js';
import { EventPage } from './pages/event.js';
import { Events } from './pages/events.js';
import { Home } from './pages/home.js';
import { Inbox } from './pages/inbox.js';
import { Instances } from './pages/instances.js';
import { Machine } from './pages/machine.js';
import { Members } from './pages/members.js';
import { Moments } from './pages/moments.js';
import { NumberLists } from './pages/numberLists.js';
import { Order } from './pages/order.js';
import { Orders } from './pages/orders.js';
import { Payments } from './pages/payments.js';
import { Phone } from './pages/phone.js';
import { Product } from './pages/product.js';
import { Promotions } from './pages/promotions.js';
import { Quoting } from './pages/quote.js';
import { Requests } from './pages/requests.js';
import { Sessions } from './pages/sessions.js';
import { Stepper } from './pages/stepper.js';
import { Templates } from './pages/templates.js';
import { PartnerWebhooks, Webhooks } from './pages/webhooks.js';
import { useLoad } from './ui/load.js';
import type { PageContext } from './ui/pageContext.js';
import { storeRequestedPage } from './ui/requestedPage.js';
import { go, hrefOf, match, usePlace } from './ui/router.js';
import { Empty, Failure, Loading } from './ui/states.js';

async function loadSession(): Promise<PageContext & { readonly next?: string | undefined }> {
  const session = await readConsole('/session');
  setToken(session.csrf);
  const { stores, next } = await readConsole('/stores');
  return { session, stores, next };
}

/** Returns the session with the first page of stores and those loaded since. */
function useListed(first: Awaited<ReturnType<typeof loadSession>> | undefined): PageContext | undefined {
  const [pages, setPages] = useState<{ stores: PageContext['stores']; next?: string | undefined }>();
  if (first === undefined) return undefined;
  const after = pages === undefined ? first.next : pages.next;
  const more = (): void =>
    void readConsole('/stores', {}, { after }).then(
      (page) => setPages((was) => ({ stores: [...(was?.stores ?? []), ...page.stores], next: page.next })),
      // The choice is still there, and loads them when it is made again.
      () => undefined,
    );
  const stores = [...first.stores, ...(pages?.stores ?? [])];
  return { session: first.session, stores, moreStores: after === undefined ? undefined : more };
}

const NO_STORE = (
  <Empty title="No stores yet" top>
    Stores appear here when a partner creates them. To create one yourself, run <code>suuq admin stores create</code>.
  </Empty>
);

const NO_PHONE = new Failed(403, 'permission_denied', 'Auditors have read-only access.');

/** A page of one store. */
function storePageOf(path: string, session: ConsoleSessionBody, store: ConsoleStoreBody) {
  const order = match('/s/{store}/orders/{order}', path);
  if (order !== undefined) return <Order {...{ session, store }} orderId={order.order!} />;
  const product = match('/s/{store}/catalog/{product}', path);
  if (product !== undefined) return <Product {...{ session, store }} externalId={product.product!} />;
  const read = match('/s/{store}/inbox/{conversation}', path);
  if (read !== undefined) return <Inbox store={store} session={session} conversationId={read.conversation} />;
  switch (match('/s/{store}/{page}', path)?.page) {
    case 'inbox':
      return <Inbox store={store} session={session} conversationId={undefined} />;
    case 'templates':
      return <Templates session={session} store={store} />;
    case 'home':
      return <Home key={store.workspaceId} store={store} />;
    case 'orders':
      return <Orders {...{ session, store }} />;
    case 'catalog':
      return <Catalog {...{ session, store }} />;
    case 'categories':
      return <Categories key={store.workspaceId} {...{ session, store }} />;
    case 'members':
      return <Members key={store.workspaceId} {...{ session, store }} />;
    case 'number-lists':
      return <NumberLists key={store.workspaceId} {...{ session, store }} />;
    case 'payments':
      return <Payments key={store.workspaceId} {...{ session, store }} />;
    case 'promotions':
      return <Promotions key={store.workspaceId} {...{ session, store }} />;
    case 'delivery':
      return <Delivery key={store.workspaceId} {...{ session, store }} />;
    case 'cart':
      return <Quoting store={store} />;
    case 'moments':
      return <Moments store={store} />;
    case 'phone':
      if (session.phone === true) return <Phone key={store.workspaceId} store={store} />;
      return session.role === 'auditor' ? <Failure error={NO_PHONE} top /> : undefined;
    case 'webhooks':
      return <Webhooks key={store.workspaceId} session={session} store={store} />;
    default:
      return undefined;
  }
}

/** The page of an address; `store`: the one that it is about, or that was last looked at. */
function pageOf(path: string, { session, stores, moreStores }: PageContext, store: ConsoleStoreBody | undefined) {
  if (path.startsWith('/s/')) return store && storePageOf(path, session, store);
  const event = match('/events/{position}', path);
  if (event !== undefined) return <EventPage position={event.position!} stores={stores} />;
  const model = match('/machine/{name}', path);
  if (model !== undefined) return <Stepper name={model.name!} />;
  const partnerId = match('/admin/partners/{partner}/webhooks', path)?.partner;
  if (partnerId !== undefined) return <PartnerWebhooks key={partnerId} session={session} partnerId={partnerId} />;
  const area = match('/admin/{area}', path)?.area;
  if (area !== undefined || path === '/admin')
    return <Admin key={area} session={session} stores={stores} store={store} area={area} />;
  switch (path) {
    case '/events':
      return <Events session={session} stores={stores} moreStores={moreStores} />;
    case '/requests':
      return <Requests session={session} stores={stores} moreStores={moreStores} />;
    case '/machine':
      return <Machine session={session} />;
    case '/instances':
      return <Instances />;
    case '/sessions':
      return <Sessions session={session} stores={stores} />;
    default:
      return undefined;
  }
}

/**
 * Returns the page for an address that names no store: the first page of the first store that the person sees. The
 * sandbox's own address leads to `/phone`.
 */
function placeOf(path: string, known: PageContext | undefined, view: string | undefined): string | undefined {
  const [first] = known?.stores ?? [];
  if (first === undefined || known === undefined) return undefined;
  if (path === '/phone') return hrefOf(`/s/${first.workspaceId}/phone`);
  if (path === '/' && view !== undefined) return hrefOf(`/s/${first.workspaceId}/${encodeURIComponent(view)}`);
  return path === '/' ? destinations(known, first)[0]?.href : undefined;
}

/** Loads the session again when its member may do something else, so that open screens follow. */
function useSessionChanges(session: ConsoleSessionBody | undefined, reload: () => void): void {
  useTail('/session/tail', {}, session?.role === 'member', undefined, (message) => {
    if (JSON.stringify(message.session) !== JSON.stringify(session)) reload();
  });
}

let lastStore: string | undefined;

/** The store of an address that is not among the newest ones. */
function useOlder(known: PageContext | undefined, named: string | undefined) {
  const isListed = named === undefined || known?.stores.some(({ workspaceId }) => workspaceId === named) !== false;
  const workspace = isListed ? undefined : named;
  return useLoad(`store ${workspace ?? ''}`, async () =>
    workspace === undefined ? [] : (await readConsole('/stores', {}, { workspace })).stores,
  );
}

interface SignedInProps {
  /** The page that frames this one, if any. */
  readonly host?: Host;
  onOut(): void;
}

/** Returns the session, its stores, and the store of the address; follows changes of the session. */
function useKnown(path: string, view: string | undefined) {
  const named = match('/s/{store}/{page}', path)?.store ?? match('/s/{store}/{page}/{id}', path)?.store;
  if (named !== undefined) lastStore = named;
  if (isFramed && lastStore !== undefined) setFramedStore(lastStore);
  // The user of a frame may have another role in each store.
  const loaded = useLoad(isFramed ? `session ${lastStore}` : 'session', loadSession);
  const listed = useListed(loaded.data);
  const older = useOlder(listed, named ?? lastStore);
  const known = listed && { ...listed, stores: [...listed.stores, ...(older.data ?? [])] };
  const store = known?.stores.find(({ workspaceId }) => workspaceId === (named ?? lastStore));
  const place = placeOf(path, listed, view);
  useEffect(() => {
    if (place !== undefined) go(place + location.search, { replace: true });
  }, [place]);
  useSessionChanges(listed?.session, loaded.reload);
  const isReady = known !== undefined && (store !== undefined || !older.loading);
  return { loaded, known: isReady ? known : undefined, store, named };
}

export function SignedIn({ host, onOut }: SignedInProps) {
  const { path } = usePlace();
  const { loaded, known, store, named } = useKnown(path, host?.view);
  const { error } = loaded;
  if (error?.status === 401) return <SignedOut reason={error.message} />;
  if (known === undefined)
    return (
      <main class="alone">
        {error === undefined ? <Loading rows={3} /> : <Failure error={error} retry={loaded.reload} top />}
      </main>
    );
  const [first] = known.stores;
  const shown = pageOf(path, known, store ?? (named === undefined ? first : undefined));
  return (
    <Frame known={known} store={store ?? first} path={path} host={host} onOut={onOut}>
      {shown ??
        (['/', '/phone'].includes(path) ? first === undefined && NO_STORE : <Empty title="Page not found" top />)}
    </Frame>
  );
}

export function App() {
  const { path } = usePlace();
  const [isOut, setOut] = useState(false);
  // Nobody's data is shown after the session is over, wherever that is noticed.
  useEffect(
    () =>
      onSignedOut(() => {
        storeRequestedPage();
        setOut(true);
      }),
    [],
  );
  if (path === '/enter') return <Enter />;
  if (isOut) return <SignedOut reason="You are not signed in." />;
  return <SignedIn onOut={() => setOut(true)} />;
}
