/** Script of every page: copying, the language of samples, the theme, the menu; other features load at first use. */
import { forGood, store } from './storage.js';

const root = document.documentElement;
const SHOWN_MS = 1600;

async function copy(button: HTMLButtonElement): Promise<void> {
  const code = button.closest('figure')?.querySelector('code')?.textContent ?? '';
  let reported = 'Copied';
  try {
    await navigator.clipboard.writeText(code);
  } catch {
    // Without the right to write: the reader finds it selected.
    getSelection()?.selectAllChildren(button.closest('figure')!.querySelector('code')!);
    reported = 'Selected';
  }
  button.textContent = reported;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, SHOWN_MS);
}

function showLanguage(): void {
  for (const tab of document.querySelectorAll<HTMLButtonElement>('[data-tab]'))
    tab.setAttribute('aria-pressed', String(tab.dataset.tab === root.dataset.language));
}

function chooseLanguage(language: string): void {
  root.dataset.language = language;
  store(forGood, 'suuq.docs.language', language);
  showLanguage();
}

const THEMES = ['system', 'light', 'dark'] as const;

const themeNow = () => THEMES.find((theme) => theme === root.dataset.theme) ?? 'system';

function showTheme(): void {
  const now = themeNow();
  document
    .querySelector('[data-theme-next]')!
    .setAttribute('aria-label', `Theme: ${now === 'system' ? 'system' : now}`);
}

function nextTheme(): void {
  const next = THEMES[(THEMES.indexOf(themeNow()) + 1) % THEMES.length]!;
  root.dataset.theme = next;
  store(forGood, 'suuq.theme', next);
  showTheme();
}

function toggleMenu(button: HTMLButtonElement): void {
  const isOpen = root.dataset.menuOpen === undefined;
  if (isOpen) root.dataset.menuOpen = '';
  else delete root.dataset.menuOpen;
  button.setAttribute('aria-expanded', String(isOpen));
  if (isOpen) document.querySelector<HTMLElement>('#side a')?.focus();
}

const openSearch = (): void => void import('./search.js').then(({ openSearch: open }) => open());

document.addEventListener('click', ({ target }) => {
  const button = (target as Element).closest('button');
  if (button === null) return;
  const { dataset } = button;
  if (dataset.copy !== undefined) void copy(button);
  else if (dataset.tab !== undefined) chooseLanguage(dataset.tab);
  else if (dataset.themeNext !== undefined) nextTheme();
  else if (dataset.menu !== undefined) toggleMenu(button);
  else if (dataset.search !== undefined) openSearch();
});

document.addEventListener('keydown', (event) => {
  const isTyping = (event.target as Element).closest('input, textarea, select') !== null;
  const isRequested = event.key === '/' || (event.key === 'k' && (event.metaKey || event.ctrlKey));
  if (isRequested && (event.key === 'k' || !isTyping) && !event.altKey) {
    event.preventDefault();
    openSearch();
  } else if (event.key === 'Escape' && root.dataset.menuOpen !== undefined)
    toggleMenu(document.querySelector<HTMLButtonElement>('[data-menu]')!);
});

showLanguage();
showTheme();

// The reference was one page once, with a place for each operation.
if (location.pathname === '/docs' && /^#[a-z]+[A-Z]\w*$/.test(location.hash)) {
  const page = `/docs/api/${location.hash.slice(1)}`;
  void fetch(page, { method: 'HEAD' }).then(({ ok }) => {
    if (ok) location.replace(page);
  });
}

/** Address of the service in samples. (site/document.ts) */
const NOWHERE = 'https://api.example.com';
// Samples that name the service name this one.
for (const block of document.querySelectorAll('[data-origin] code, article code')) {
  const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode as Text;
    if (node.data.includes(NOWHERE)) node.data = node.data.replaceAll(NOWHERE, location.origin);
  }
}

const form = document.querySelector<HTMLDetailsElement>('[data-try]');
form?.addEventListener('toggle', () => void import('./tryIt.js').then(({ begin }) => begin(form)), { once: true });

// The page's place in a long navigation, which alone is scrolled: the page begins at its top.
const side = document.querySelector<HTMLElement>('#side');
const here = side?.querySelector<HTMLElement>('[aria-current]');
if (side && here) side.scrollTop = here.offsetTop - side.offsetTop - side.clientHeight / 2;
