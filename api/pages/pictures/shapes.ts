/** Elements of SVG from which the demo's pictures are drawn, on 400 × 400 units. */

/** A picture with a light and a dark colour for its background. */
export interface Drawing {
  readonly back: readonly [string, string];
  /** Elements of SVG. */
  readonly shapes: string;
}

export const path = (d: string, fill: string, more = ''): string => `<path d="${d}" fill="${fill}"${more}/>`;
export const line = (d: string, stroke: string, width: number): string =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
export const circle = (x: number, y: number, r: number, fill: string): string =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`;
export const oval = (x: number, y: number, rx: number, ry: number, fill: string): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}"/>`;
export const box = (x: number, y: number, width: number, height: number, r: number, fill: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${r}" fill="${fill}"/>`;
export const each = (places: readonly (readonly [number, number])[], draw: (x: number, y: number) => string): string =>
  places.map(([x, y]) => draw(x, y)).join('');

const SHADE = '#00000026';
export const LIGHT = '#ffffff59';

export const dirac = (cloth: string, trim: string): string =>
  path(
    'M155 70Q200 100 245 70L325 110 300 165 272 158Q270 250 300 335Q200 365 100 335Q130 250 128 158L100 165 75 110Z',
    cloth,
  ) +
  path('M155 70Q200 100 245 70L238 92Q200 120 162 92Z', trim) +
  line('M112 318Q200 348 288 318M200 118V330', trim, 7) +
  each(
    [
      [165, 190],
      [235, 190],
      [160, 250],
      [240, 250],
      [150, 300],
      [250, 300],
    ],
    (x, y) => circle(x, y, 7, trim),
  ) +
  path('M272 158Q270 250 300 335Q272 344 245 349Q235 250 245 150Z', SHADE);

export const jar = (glass: string, lid: string, label: string): string =>
  box(120, 120, 160, 215, 30, glass) +
  box(130, 85, 140, 45, 10, lid) +
  box(120, 185, 160, 90, 0, label) +
  box(140, 135, 14, 180, 7, LIGHT);

export const bag = (paper: string, dark: string, label: string): string =>
  path('M120 95H280L296 335Q200 350 104 335Z', paper) +
  path('M120 95H280V125H120Z', dark) +
  path('M245 95H280L296 335 255 341Z', SHADE) +
  box(140, 175, 115, 95, 12, label);
