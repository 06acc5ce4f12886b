/** Theme: light, dark or the system's, stored in the browser. */
const KEY = 'suuq.theme';
const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** A browser that keeps nothing has the system's. */
function storedTheme(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export const themeNow = (): Theme => THEMES.find((theme) => theme === storedTheme()) ?? 'system';

export function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // It holds for this page.
  }
}

export const nextTheme = (theme: Theme): Theme => THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
