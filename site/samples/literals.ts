/** JSON values as the literals of other languages. */

interface Writing {
  readonly text: (value: string) => string;
  readonly plain: (value: number | boolean | null) => string;
  readonly list: readonly [string, string];
  readonly map: readonly [string, string];
  readonly member: (name: string, value: string) => string;
  /** Literal of an empty object, where a map's brackets would mean a list. */
  readonly empty: string;
  readonly indent: string;
}

/** Values up to this length are on one line, in characters. */
const LINE = 72;

function write(value: unknown, how: Writing, before: string): string {
  if (typeof value === 'string') return how.text(value);
  if (typeof value !== 'object' || value === null) return how.plain(value as number | boolean | null);
  const isList = Array.isArray(value);
  const [open, close] = isList ? how.list : how.map;
  const inside = before + how.indent;
  const parts = isList
    ? value.map((one) => write(one, how, inside))
    : Object.entries(value).map(([name, one]) => how.member(name, write(one, how, inside)));
  if (parts.length === 0) return isList ? open + close : how.empty;
  const pad = !isList && open === '{' && how.indent === '  ' ? ' ' : '';
  const short = `${open}${pad}${parts.join(', ')}${pad}${close}`;
  if (before.length + short.length <= LINE && !short.includes('\n')) return short;
  return `${open}\n${parts.map((part) => `${inside}${part},\n`).join('')}${before}${close}`;
}

const singleQuoted = (value: string): string =>
  /[\n\r\u2028\u2029]/.test(value)
    ? JSON.stringify(value)
    : `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** As the project's own formatter would write it. `before`: the indent of the line that it begins on. */
export const typescriptLiteral = (value: unknown, before = ''): string =>
  write(
    value,
    {
      text: singleQuoted,
      plain: String,
      list: ['[', ']'],
      map: ['{', '}'],
      member: (name, one) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : singleQuoted(name)}: ${one}`,
      empty: '{}',
      indent: '  ',
    },
    before,
  );

const PYTHON: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

export const pythonLiteral = (value: unknown, before = ''): string =>
  write(
    value,
    {
      text: JSON.stringify,
      plain: (one) => PYTHON[String(one)] ?? String(one),
      list: ['[', ']'],
      map: ['{', '}'],
      member: (name, one) => `${JSON.stringify(name)}: ${one}`,
      empty: '{}',
      indent: '    ',
    },
    before,
  );

/** A line break in single quotes stays one in PHP. */
const phpQuoted = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

export const phpLiteral = (value: unknown, before = ''): string =>
  write(
    value,
    {
      text: phpQuoted,
      plain: String,
      list: ['[', ']'],
      map: ['[', ']'],
      member: (name, one) => `${phpQuoted(name)} => ${one}`,
      empty: 'new stdClass()',
      indent: '    ',
    },
    before,
  );
