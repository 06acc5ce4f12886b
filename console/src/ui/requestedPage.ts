/**
 * The page that was requested before signing in; the link to sign in leads there. Stored in the browser for as long as
 * a link is valid.
 */
import { hrefOf } from './router.js';

const KEY = 'suuq.wanted';
const KEPT_MS = 10 * 60_000;

export function storeRequestedPage(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ href: location.pathname + location.search, at: Date.now() }));
  } catch {
    // The first page is shown then.
  }
}

/** Once; the first page where nothing was wanted lately. */
export function takeRequestedPage(): string {
  try {
    const { href, at } = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    localStorage.removeItem(KEY);
    // Accepts only paths of the console.
    if (typeof href === 'string' && href.startsWith(`${hrefOf('')}/`) && Date.now() - at < KEPT_MS) return href;
  } catch {
    // Treated as an empty entry.
  }
  return hrefOf('');
}
