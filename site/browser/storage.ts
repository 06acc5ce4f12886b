/** Values stored by this browser; without storage the pages still work. */

export function read(store: () => Storage, name: string): string | null {
  try {
    return store().getItem(name);
  } catch {
    return null;
  }
}

export function keep(store: () => Storage, name: string, value: string): void {
  try {
    store().setItem(name, value);
  } catch {
    // It holds for this page.
  }
}

export const forGood = (): Storage => localStorage;
/** Until the tab is closed. */
export const forNow = (): Storage => sessionStorage;
