/** Results laid out for a terminal: tables that fit it, sentences that wrap, words in colour. */
import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { type Note, plain, type Shown, type Table } from './text.js';

/** Target of the output. */
export interface Screen {
  /** Width in columns; undefined: unlimited, such as in a file. */
  readonly columns?: number;
  /** True if colours are shown. */
  readonly styled: boolean;
}

export const FILE: Screen = { styled: false };

type Style = Parameters<typeof styleText>[0];

/** Colours of words that name a state. */
const WORDS: Readonly<Record<string, Style>> = {
  ok: 'green',
  live: 'green',
  running: 'green',
  active: 'green',
  warning: 'yellow',
  rebuilding: 'yellow',
  catching_up: 'yellow',
  suspended: 'yellow',
  problem: 'red',
  stopped: 'red',
  revoked: 'red',
};

export const styled = (style: Style, text: string, { styled: on }: Pick<Screen, 'styled'>): string =>
  // Whether the stream has colours is known already.
  on ? styleText(style, text, { validateStream: false }) : text;

/** `text` as its first word is coloured, blanks and all. */
function coloured(text: string, screen: Screen): string {
  const [word = ''] = text.trim().split(/\s/, 1);
  const style = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  return style === undefined ? text : text.replace(word, styled(style, word, screen));
}

const GAP = '  ';
/** A column that is made narrower is at least so wide. */
const LEAST = 8;
/** Text behind a lead gets at least this width, or is put below it. */
const LEAST_NOTE = 24;

const ASCII = /^[ -~]*$/;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Columns of a terminal: a Chinese character takes two, an Arabic vowel sign none. */
const widthOf = (text: string): number => (ASCII.test(text) ? text.length : stringWidth(text));

/** Splits the text where its first part would be wider than `width`, never within what is shown as one character. */
function splitAt(text: string, width: number): readonly [string, string] {
  if (ASCII.test(text)) return [text.slice(0, width), text.slice(width)];
  let used = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    used += widthOf(segment);
    // A character that is wider than a line of its own still goes on.
    if (used > width && index > 0) return [text.slice(0, index), text.slice(index)];
  }
  return [text, ''];
}

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

const cut = (text: string, width: number): string =>
  widthOf(text) <= width ? text : `${splitAt(text, width - 1)[0]}…`;

/** The text in lines of at most `width` characters, broken between words where that can be. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const next = line === '' ? word : `${line} ${word}`;
    if (widthOf(next) <= width || line === '') line = next;
    else {
      lines.push(line);
      line = word;
    }
    for (let [first, rest] = splitAt(line, width); rest !== ''; [first, rest] = splitAt(line, width)) {
      lines.push(first);
      line = rest;
    }
  }
  return [...lines, line];
}

/** Widths that fit into `columns`: the widest give way, the first, which names the row, does not. Undefined: none fit. */
function fitting(widths: readonly number[], head: readonly string[], columns: number): readonly number[] | undefined {
  const fit = [...widths];
  const least = head.map((word, i) => (i === 0 ? widths[0]! : Math.min(widths[i]!, Math.max(LEAST, widthOf(word)))));
  const room = columns - GAP.length * (widths.length - 1);
  for (let over = sum(fit) - room; over > 0; over = sum(fit) - room) {
    const [widest] = fit
      .map((width, i) => ({ i, width }))
      .filter(({ i, width }) => width > least[i]!)
      .sort((a, b) => b.width - a.width);
    if (widest === undefined) return undefined;
    fit[widest.i] = widest.width - 1;
  }
  return fit;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

function tableOn({ head, rows, none }: Table, screen: Screen): string {
  if (rows.length === 0) return none;
  const lines = rows.map((row) => row.map(plain));
  const widths = head.map((word, i) => Math.max(widthOf(word), ...lines.map((line) => widthOf(line[i] ?? ''))));
  const { columns } = screen;
  const fit = columns === undefined ? widths : fitting(widths, head, columns);
  if (fit === undefined) return recordsOn(head, lines, columns!, screen);
  const row = (cells: readonly string[], style: (cell: string, i: number) => string): string =>
    cells
      .map((cell, i) => style(padded(cut(cell, fit[i]!), i === cells.length - 1 ? 0 : fit[i]!), i))
      .join(GAP)
      .trimEnd();
  return [
    row(head, (cell) => styled('bold', cell, screen)),
    ...lines.map((cells) => row(cells, (cell) => coloured(cell, screen))),
  ].join('\n');
}

/** A terminal too narrow for columns: each row as lines of its own. */
function recordsOn(
  head: readonly string[],
  lines: readonly (readonly string[])[],
  columns: number,
  screen: Screen,
): string {
  const width = Math.max(...head.map(widthOf)) + 1;
  const record = (cells: readonly string[]): string =>
    head
      .flatMap((word, i) =>
        cells[i] === '' || cells[i] === undefined
          ? []
          : [noteOn({ lead: `${padded(word, width)}`, note: cells[i] }, { ...screen, columns })],
      )
      .join('\n');
  return lines.map(record).join('\n\n');
}

function noteOn({ lead, note }: Note, screen: Screen): string {
  const { columns } = screen;
  const before = coloured(lead, screen);
  if (columns === undefined) return `${before}${note}`;
  const room = columns - widthOf(lead);
  if (room >= LEAST_NOTE || widthOf(note) <= room) {
    const [first, ...others] = wrapped(note, room);
    return [`${before}${first}`, ...others.map((line) => `${' '.repeat(widthOf(lead))}${line}`)].join('\n');
  }
  const indent = GAP + GAP;
  const below = wrapped(note, Math.max(1, columns - indent.length)).map((line) => `${indent}${line}`);
  return [...(lead.trim() === '' ? [] : [before.trimEnd()]), ...below].join('\n');
}

/** The text of a result. */
export function written(shown: Shown, screen: Screen = FILE): string {
  if (typeof shown === 'string') return shown;
  if ('head' in shown) return tableOn(shown, screen);
  if ('note' in shown) return noteOn(shown, screen);
  return (shown as readonly Shown[]).map((one) => written(one, screen)).join('\n');
}

/** The first table of a result, which `change` replaces. */
export function withTable(shown: Shown, change: (table: Table) => Table): Shown {
  if (typeof shown === 'string' || 'note' in shown) return shown;
  if ('head' in shown) return change(shown);
  const at = (shown as readonly Shown[]).findIndex((one) => typeof one !== 'string' && 'head' in one);
  return (shown as readonly Shown[]).map((one, i) => (i === at ? change(one as Table) : one));
}
