/** Values stored by this browser; without storage the pages still work. */

export function read(storage: () => Storage, name: string): string | null {
  try {
    return storage().getItem(name);
  } catch {
    return null;
  }
}

export function store(storage: () => Storage, name: string, value: string): void {
  try {
    storage().setItem(name, value);
  } catch {
    // It holds for this page.
  }
}

export const forGood = (): Storage => localStorage;
/** Until the tab is closed. */
export const forNow = (): Storage => sessionStorage;
