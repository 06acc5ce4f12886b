/** Sends the form to this service and shows the answer. The key stays in this tab, and is sent in one header field. */
import { fetchDemoKeys } from './demoKeys.js';
import { forNow, read, store } from './storage.js';

/** Longest wait for an answer, in ms. */
const WITHIN_MS = 30_000;
/** Most of a text that is shown, in characters. */
const MOST_SHOWN = 100_000;
const storageKey = (kind: string): string => `suuq.docs.${kind}`;

interface BuiltRequest {
  readonly url: string;
  readonly init: RequestInit;
}

/** Builds the request. Throws an Error with a message for mistakes that need no request. */
function requestOf(form: HTMLFormElement): BuiltRequest {
  const { method = 'GET', path = '' } = form.dataset;
  const query = new URLSearchParams();
  let filled = path;
  for (const field of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-in]')) {
    const value = field.value.trim();
    if (field.dataset.in === 'path') filled = filled.replace(`{${field.name}}`, encodeURIComponent(value));
    else if (value !== '') query.set(field.name, value);
  }
  const headers = new Headers();
  const key = form.querySelector<HTMLInputElement>('[data-key]');
  if (key !== null) headers.set('Authorization', `Bearer ${key.value.trim()}`);
  if (form.dataset.keyed !== undefined) headers.set('Idempotency-Key', crypto.randomUUID());
  const file = form.querySelector<HTMLInputElement>('[data-file]');
  const text = form.querySelector<HTMLTextAreaElement>('[data-body]')?.value.trim();
  let body: BodyInit | undefined;
  if (file?.files?.[0] !== undefined) {
    const sent = new FormData();
    sent.set(file.dataset.file!, file.files[0]);
    body = sent;
  } else if (text !== undefined && text !== '') {
    try {
      JSON.parse(text);
    } catch (error) {
      throw new Error(`The body is not JSON: ${(error as Error).message}`);
    }
    headers.set('Content-Type', 'application/json');
    body = text;
  }
  const requested = query.size === 0 ? filled : `${filled}?${query}`;
  return {
    url: requested,
    init: {
      ...{ method, headers, credentials: 'omit', cache: 'no-store', redirect: 'error' },
      signal: AbortSignal.timeout(WITHIN_MS),
      ...(body !== undefined && { body }),
    },
  };
}

/** Shown as text, never as HTML. */
function line(name: string, text: string, type = 'p'): HTMLElement {
  const made = document.createElement(type);
  made.className = name;
  made.textContent = text;
  return made;
}

const KNOWN_HEADERS = ['x-request-id', 'ratelimit', 'idempotent-replayed', 'etag'];

async function shownBody(answer: Response): Promise<string> {
  const type = answer.headers.get('content-type') ?? '';
  if (!/json|text/.test(type)) {
    const { size } = await answer.blob();
    return size === 0 ? '' : `${size.toLocaleString('en')} bytes of ${type}`;
  }
  const text = await answer.text();
  let whole = text;
  try {
    whole = JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    // Shown as it is.
  }
  return whole.length <= MOST_SHOWN ? whole : `${whole.slice(0, MOST_SHOWN)}\n… and ${whole.length - MOST_SHOWN} more`;
}

async function send(form: HTMLFormElement, result: HTMLElement): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>('.send')!;
  button.disabled = true;
  result.replaceChildren(line('soft', 'Sending…'));
  const startedAt = performance.now();
  try {
    const { url, init } = requestOf(form);
    const answer = await fetch(url, init);
    const text = await shownBody(answer);
    const took = Math.round(performance.now() - startedAt);
    const status = line(`status s${Math.floor(answer.status / 100)}`, String(answer.status), 'span');
    const head = line('answered', '');
    head.append(status, ` ${answer.statusText} · ${took} ms`);
    const headers = KNOWN_HEADERS.flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [`${name}: ${value}`];
    }).join('\n');
    const pre = line('', [headers, text].filter(Boolean).join('\n\n'), 'pre');
    pre.tabIndex = 0;
    result.replaceChildren(head, pre);
  } catch (error) {
    const { name, message } = error as Error;
    const reported = name === 'TimeoutError' ? `No response within ${WITHIN_MS / 1000} s.` : message;
    result.replaceChildren(line('failed', reported));
  } finally {
    button.disabled = false;
  }
}

/** Puts in what this tab knows. */
function fill(form: HTMLFormElement): void {
  const key = form.querySelector<HTMLInputElement>('[data-key]');
  if (key !== null && key.value === '') key.value = read(forNow, storageKey(key.dataset.key!)) ?? '';
  for (const field of form.querySelectorAll<HTMLInputElement>('[data-in="path"]'))
    if (field.value === '') field.value = read(forNow, storageKey(field.name)) ?? '';
}

function storeFields(form: HTMLFormElement): void {
  const key = form.querySelector<HTMLInputElement>('[data-key]');
  if (key !== null) store(forNow, storageKey(key.dataset.key!), key.value.trim());
  for (const field of form.querySelectorAll<HTMLInputElement>('[data-in="path"]'))
    if (field.value !== '') store(forNow, storageKey(field.name), field.value.trim());
}

const NO_DEMO =
  'The demo keys cannot be read from this page. Open the console with the link that the service printed (npx suuq console ' +
  'creates another) and come back, or paste a key: the demo keys are in data/demo.json.';

/** The keys of the demo, for who is signed in to the console as its operator. */
async function useDemo(form: HTMLFormElement, result: HTMLElement): Promise<void> {
  const demo = await fetchDemoKeys();
  if (demo === undefined) {
    result.replaceChildren(line('failed', NO_DEMO));
    return;
  }
  const { store, partner } = demo;
  const key = form.querySelector<HTMLInputElement>('[data-key]')!;
  key.value = key.dataset.key === 'partner' ? partner.secretKey : store.secretKey;
  const values: Readonly<Record<string, string>> = { workspaceId: store.workspaceId, externalRef: store.externalRef };
  for (const field of form.querySelectorAll<HTMLInputElement>('[data-in="path"]'))
    if (values[field.name] !== undefined) field.value = values[field.name]!;
  storeFields(form);
  result.replaceChildren(line('soft', 'The demo’s key is filled in.'));
}

/** Once for each form, when it is opened. */
export function begin(opened: HTMLDetailsElement): void {
  const form = opened.querySelector('form')!;
  const result = opened.querySelector<HTMLElement>('[data-result]')!;
  fill(form);
  form.querySelector('[data-demo]')?.addEventListener('click', () => void useDemo(form, result));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    storeFields(form);
    void send(form, result);
  });
  // Pressed before, the browser itself would send the form.
  for (const button of form.querySelectorAll('button')) button.disabled = false;
}
