import { escaped } from '../../api/pages/escaped.js';
import type { Frame, ThreadProfile } from './cpuProfile.js';

const WIDTH = 1200;
const ROW = 17;
const HEAD = 44;
/** Narrower frames are left out: nobody can read or point at them. */
const LEAST_WIDTH = 2.4;
/** Limit that keeps pictures small enough to store next to their pages. */
const MOST_BYTES = 150_000;
/** Width of a letter, so that a name is cut at the end of its frame. */
const LETTER = 6.3;
/** Maximum depth: deeper callers do not inform a reader. */
const DEEPEST = 40;

interface Box {
  readonly frame: Frame;
  readonly x: number;
  readonly width: number;
  readonly depth: number;
}

function boxes(root: Frame, leastWidth: number): Box[] {
  const perSample = WIDTH / Math.max(1, root.samples);
  const found: Box[] = [];
  const open: Box[] = [{ frame: root, x: 0, width: WIDTH, depth: 0 }];
  for (let box = open.pop(); box !== undefined; box = open.pop()) {
    found.push(box);
    if (box.depth === DEEPEST) continue;
    let { x } = box;
    // Sorted by name, so that two graphs of the same work can be compared.
    for (const frame of [...box.frame.children.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const width = frame.samples * perSample;
      if (width >= leastWidth) open.push({ frame, x, width, depth: box.depth + 1 });
      x += width;
    }
  }
  return found;
}

const COLOURS: readonly (readonly [test: RegExp, colour: string])[] = [
  [/^\(garbage collector\)$/, '#c9b8a0'],
  [/\((?:node:|internal)/, '#b9c7d3'],
  [/\(domain\//, '#e7b54a'],
  [/\(engine\//, '#e58f5b'],
  [/\((?:application|projections)\//, '#d9786b'],
  [/\(infrastructure\//, '#7fb2a5'],
  [/\(api\//, '#8fb56b'],
  [/\(service\//, '#b79ac4'],
  [/\(/, '#c3bfa9'],
];

const colourOf = (name: string): string => COLOURS.find(([test]) => test.test(name))?.[1] ?? '#d6d2c4';

function drawn({ frame, x, width, depth }: Box, whole: number, height: number): string {
  const y = height - (depth + 1) * ROW;
  const share = ((frame.samples / whole) * 100).toFixed(1);
  const letters = Math.floor((width - 4) / LETTER);
  const text = letters < 3 ? '' : frame.name.slice(0, letters);
  const label = text === '' ? '' : `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escaped(text)}</text>`;
  const box = `<rect x="${x.toFixed(1)}" y="${y}" width="${(width - 0.4).toFixed(1)}" height="${ROW - 1}" fill="${colourOf(frame.name)}"/>`;
  return `<g><title>${escaped(frame.name)}: ${share} %</title>${box}${label}</g>`;
}

/**
 * A thread's work as a picture of its own (SVG, no script): callers below, callees above, width by share of the samples
 * in which the thread worked; colours by floor of the project. At most 150 KB: frames that are too narrow for that are left out.
 */
export function flameGraph(thread: ThreadProfile, title: string): string {
  for (let leastWidth = LEAST_WIDTH; ; leastWidth *= 1.25) {
    const svg = drawnFrom(thread, title, leastWidth);
    if (Buffer.byteLength(svg) <= MOST_BYTES || leastWidth > WIDTH) return svg;
  }
}

function drawnFrom({ name, root, busy }: ThreadProfile, title: string, leastWidth: number): string {
  const found = boxes(root, leastWidth);
  const rows = Math.max(...found.map(({ depth }) => depth)) + 1;
  const height = HEAD + rows * ROW;
  const head = `${title}: thread ${name}, busy for ${(busy * 100).toFixed(0)} % of its time, ${root.samples.toLocaleString('en')} samples`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="ui-monospace, monospace" font-size="10.5">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fffdf7"/>`,
    `<text x="4" y="18" font-size="14">${escaped(head)}</text>`,
    ...found.map((box) => drawn(box, Math.max(1, root.samples), height)),
    '</svg>',
    '',
  ].join('\n');
}

/** The functions in which a thread was seen itself, not in what they called, the costliest first. */
export function ownTime({ root }: ThreadProfile, most = 15): { name: string; share: number }[] {
  const own = new Map<string, number>();
  const open: Frame[] = [root];
  for (let frame = open.pop(); frame !== undefined; frame = open.pop()) {
    let below = 0;
    for (const each of frame.children.values()) {
      below += each.samples;
      open.push(each);
    }
    if (frame !== root) own.set(frame.name, (own.get(frame.name) ?? 0) + frame.samples - below);
  }
  return [...own]
    .map(([name, samples]) => ({ name, share: samples / Math.max(1, root.samples) }))
    .sort((a, b) => b.share - a.share)
    .slice(0, most);
}
