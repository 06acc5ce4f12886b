/** What every page does: copying, the language of samples, the theme, the menu; and the rest when it is first asked for. */
import { forGood, keep } from './kept.js';

const root = document.documentElement;
const SHOWN_MS = 1600;

async function copy(button: HTMLButtonElement): Promise<void> {
  const code = button.closest('figure')?.querySelector('code')?.textContent ?? '';
  let told = 'Copied';
  try {
    await navigator.clipboard.writeText(code);
  } catch {
    // Without the right to write: the reader finds it selected.
    getSelection()?.selectAllChildren(button.closest('figure')!.querySelector('code')!);
    told = 'Selected';
  }
  button.textContent = told;
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
  keep(forGood, 'suuq.docs.language', language);
  showLanguage();
}

const THEMES = ['system', 'light', 'dark'] as const;

function nextTheme(button: HTMLButtonElement): void {
  const now = THEMES.find((theme) => theme === root.dataset.theme) ?? 'system';
  const next = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]!;
  root.dataset.theme = next;
  keep(forGood, 'suuq.theme', next);
  button.setAttribute('aria-label', `Theme: ${next === 'system' ? 'as the system' : next}`);
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
  else if (dataset.themeNext !== undefined) nextTheme(button);
  else if (dataset.menu !== undefined) toggleMenu(button);
  else if (dataset.search !== undefined) openSearch();
});

document.addEventListener('keydown', (event) => {
  const isTyping = (event.target as Element).closest('input, textarea, select') !== null;
  const isAsked = event.key === '/' || (event.key === 'k' && (event.metaKey || event.ctrlKey));
  if (isAsked && (event.key === 'k' || !isTyping) && !event.altKey) {
    event.preventDefault();
    openSearch();
  } else if (event.key === 'Escape' && root.dataset.menuOpen !== undefined)
    toggleMenu(document.querySelector<HTMLButtonElement>('[data-menu]')!);
});

showLanguage();

// The reference was one page once, with a place for each operation.
if (location.pathname === '/docs' && /^#[a-z]+[A-Z]\w*$/.test(location.hash)) {
  const page = `/docs/api/${location.hash.slice(1)}`;
  void fetch(page, { method: 'HEAD' }).then(({ ok }) => {
    if (ok) location.replace(page);
  });
}

// Samples that name the service name this one.
for (const block of document.querySelectorAll('[data-origin] code, article code')) {
  const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode as Text;
    if (node.data.includes('https://api.example.com'))
      node.data = node.data.replaceAll('https://api.example.com', location.origin);
  }
}

const form = document.querySelector<HTMLDetailsElement>('[data-try]');
form?.addEventListener('toggle', () => void import('./tryIt.js').then(({ begin }) => begin(form)), { once: true });

// The page's place in a long navigation, which alone is scrolled: the page begins at its top.
const side = document.querySelector<HTMLElement>('#side');
const here = side?.querySelector<HTMLElement>('[aria-current]');
if (side && here) side.scrollTop = here.offsetTop - side.offsetTop - side.clientHeight / 2;
