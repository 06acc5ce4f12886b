/** Looks of a frame: the partner's colour, corners, font and colour mode. */
import type { Appearance } from './host.js';

const FONTS: Readonly<Record<string, string>> = {
  inter: 'Inter, system-ui, sans-serif',
  ibm_plex_sans: '"IBM Plex Sans", system-ui, sans-serif',
  system: 'system-ui, sans-serif',
};
const COLOR = /^#[0-9a-f]{6}$/i;

/** Relative luminance of a colour, 0 to 1 (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Sets the looks on the page. What is not given, or is no colour, stays as it is. */
export function applyAppearance({ primaryColor = '', radius, font = '', colorMode }: Appearance): void {
  const { style, dataset } = document.documentElement;
  if (COLOR.test(primaryColor)) {
    style.setProperty('--accent', primaryColor);
    style.setProperty('--accent-ink', luminance(primaryColor) > 0.18 ? '#000000' : '#ffffff');
    style.setProperty('--accent-tint', `color-mix(in srgb, ${primaryColor} 14%, var(--paper, transparent))`);
  }
  if (radius !== undefined) style.setProperty('--radius', `${Math.min(32, Math.max(0, radius))}px`);
  if (font in FONTS) document.body.style.fontFamily = FONTS[font]!;
  if (colorMode !== undefined) dataset.theme = colorMode === 'auto' ? 'system' : colorMode;
}
