/** The page that somebody wanted who was not signed in yet: the link that lets them in leads there. Kept in the browser, for as long as a link works. */
import { hrefOf } from './router.js';

const KEY = 'suuq.wanted';
const KEPT_MS = 10 * 60_000;

export function keepWanted(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ href: location.pathname + location.search, at: Date.now() }));
  } catch {
    // The first page is shown then.
  }
}

/** Once; the first page where nothing was wanted lately. */
export function takeWanted(): string {
  try {
    const { href, at } = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    localStorage.removeItem(KEY);
    // A path of the console alone, whoever wrote it there.
    if (typeof href === 'string' && href.startsWith(`${hrefOf('')}/`) && Date.now() - at < KEPT_MS) return href;
  } catch {
    // As if nothing were kept.
  }
  return hrefOf('');
}
