/**
 * Scrolling through more rows than a browser lays out. The element has the maximum height and shows one stretch of the
 * rows at a time. Small moves are exact, and lead from stretch to stretch; large ones (the scroll bar, Home, End) go to
 * the same fraction of the whole. All in px.
 */

/** Browsers lay out no taller elements; some end at 17,895,697. */
export const TALLEST = 16_000_000;
const STRETCHES = 100;
/** A wheel turns less at once, also where frames are late; one px of the scroll bar is more, on screens of up to 1,600 px. */
const FAR = 10_000;

export interface Scrolled {
  /** Scroll position of the element. */
  readonly top: number;
  /** Rows above the stretch. */
  readonly offset: number;
}

/** Returns the position after a scroll to `top`, adjusted where the stretch changes. `view` is the visible height. */
export function scrolled(before: Scrolled, top: number, view: number, total: number): Scrolled {
  if (total <= TALLEST) return { top, offset: 0 };
  const length = TALLEST / STRETCHES;
  const stretches = Math.floor(total / length);
  const isFar = Math.abs(top - before.top) >= FAR;
  const place = isFar ? (top * (total - view)) / (TALLEST - view) : top + before.offset;
  const at = Math.max(0, Math.min(stretches - 1, Math.floor(place / length)));
  const offset = Math.round((at * (total - TALLEST)) / (stretches - 1));
  return { top: isFar ? top : place - offset, offset };
}
