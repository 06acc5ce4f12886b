/**
 * Compares two pictures of the same page, one of them right to left. Letters differ, so single pixels cannot be
 * compared. Both pictures are reduced to a coarse grey grid, then compared as they are and mirrored.
 */
import type { Browser } from 'playwright-core';

const COLUMNS = 24;
const ROWS = 48;

/** Mean difference of the cells, 0 (the same) to 255. */
export interface Mirrored {
  readonly asItIs: number;
  readonly turnedRound: number;
}

/**
 * Script that returns the grey values of each picture. It runs in the browser and cannot use anything from this file.
 */
const GREYS = `async ([columns, rows, ...pictures]) => {
  const greys = [];
  for (const picture of pictures) {
    const bytes = Uint8Array.from(atob(picture), (one) => one.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }), {
      resizeWidth: columns, resizeHeight: rows, resizeQuality: 'high',
    });
    const canvas = new OffscreenCanvas(columns, rows).getContext('2d');
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, columns, rows);
    greys.push(Array.from({ length: columns * rows }, (_, at) => (data[at * 4] + data[at * 4 + 1] + data[at * 4 + 2]) / 3));
  }
  return greys;
}`;

/** Compares two PNGs of the same size. */
export async function mirrored(browser: Browser, one: Buffer, other: Buffer): Promise<Mirrored> {
  const page = await browser.newPage();
  const pictures = [one, other].map((png) => png.toString('base64'));
  const given = JSON.stringify([COLUMNS, ROWS, ...pictures]);
  const [left, right] = (await page.evaluate(`(${GREYS})(${given})`)) as [number[], number[]];
  await page.close();
  const difference = (at: (column: number) => number): number => {
    let all = 0;
    for (let row = 0; row < ROWS; row++)
      for (let column = 0; column < COLUMNS; column++)
        all += Math.abs(left[row * COLUMNS + column]! - right[row * COLUMNS + at(column)]!);
    return all / (COLUMNS * ROWS);
  };
  return { asItIs: difference((column) => column), turnedRound: difference((column) => COLUMNS - 1 - column) };
}
