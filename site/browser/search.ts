/** The search: a dialog over the page, whose index is loaded when it is first opened. */
import { type Hit, loadIndex, search } from './ranking.js';

const MOST = 12;
const WITHIN_MS = 15_000;
let index: Promise<ReturnType<typeof loadIndex>> | undefined;

const load = (): NonNullable<typeof index> => {
  index ??= fetch(new URL('./search.json', import.meta.url), { signal: AbortSignal.timeout(WITHIN_MS) })
    .then(async (answer) => {
      if (!answer.ok) throw new Error(`The search index could not be loaded: status ${answer.status}.`);
      return loadIndex(await answer.text());
    })
    .catch((error: unknown) => {
      // The next search retries.
      index = undefined;
      throw error;
    });
  return index;
};

function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>>,
  ...inner: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...inner);
  return made;
}

const hitItem = ({ title, kind, path, about }: Hit): HTMLLIElement =>
  element(
    'li',
    {},
    element(
      'a',
      { href: path },
      element('strong', {}, title),
      element('span', { class: 'kind' }, kind),
      element('span', { class: 'about' }, about.replaceAll('`', '')),
    ),
  );

/** Text next to the list, also for screen readers. */
function summaryOf(requested: string, hits: number): string {
  if (requested.trim() === '') return '';
  if (hits === 0) return `No results for “${requested.trim()}”.`;
  return hits === MOST ? `The best ${MOST} pages` : hits === 1 ? '1 page' : `${hits} pages`;
}

function makeDialog(): { dialog: HTMLDialogElement; box: HTMLInputElement } {
  const box = element('input', {
    type: 'search',
    'aria-label': 'Search the documentation',
    placeholder: 'Operations, events, errors, guides',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const list = element('ul', { id: 'hits', 'aria-label': 'Found' });
  const reported = element('p', { class: 'told', role: 'status' });
  const close = element('button', { type: 'button', class: 'close' }, 'Close');
  const dialog = element(
    'dialog',
    { class: 'search', 'aria-label': 'Search' },
    element('div', { class: 'box' }, box, close),
    reported,
    list,
  );
  document.body.append(dialog);

  const show = async (): Promise<void> => {
    const requested = box.value;
    try {
      const hits = search(await load(), requested, MOST);
      if (box.value !== requested) return;
      list.replaceChildren(...hits.map(hitItem));
      list.hidden = hits.length === 0;
      reported.textContent = summaryOf(requested, hits.length);
    } catch {
      reported.textContent = 'The search could not be loaded. Type again to retry.';
    }
  };
  list.hidden = true;
  box.addEventListener('input', () => void show());
  // The arrows go from the box through the links and back.
  dialog.addEventListener('keydown', (event) => {
    const places = [box, ...list.querySelectorAll('a')];
    const at = places.indexOf(document.activeElement as HTMLInputElement);
    if (event.key === 'ArrowDown') places[Math.min(at + 1, places.length - 1)]!.focus();
    else if (event.key === 'ArrowUp') places[Math.max(at - 1, 0)]!.focus();
    else if (event.key === 'Enter' && at === 0) places[1]?.click();
    // At once: a search box would only clear itself.
    else if (event.key === 'Escape') dialog.close();
    else return;
    event.preventDefault();
  });
  close.addEventListener('click', () => dialog.close());
  list.addEventListener('click', () => dialog.close());
  // A click on the backdrop closes the dialog.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  return { dialog, box };
}

let made: ReturnType<typeof makeDialog> | undefined;

export function openSearch(): void {
  made ??= makeDialog();
  if (!made.dialog.open) made.dialog.showModal();
  made.box.select();
  void load().catch(() => undefined);
}
