/**
 * Quotes compiled, linted and tested code in pages. A block after `<!-- quoted: FILE#REGION -->` is the part of the
 * file between `// #region REGION` and `// #endregion`, or the whole file without a region. With `as PATH` the file is
 * shown as if it were at that path, in `projections/` instead of `examples/`. `npm run quotes` rewrites the blocks.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const BLOCK = /^<!-- quoted: (\S+?)(#\S+)?( as \S+)? -->\n\n?```(\w+)\n([\s\S]*?)^```$/gm;

/** Returns the code that a page should quote. Throws if the file has no such region. */
export function quoted(root: string, file: string, region?: string): string {
  const lines = readFileSync(join(root, file), 'utf8').trimEnd().split('\n');
  if (region === undefined) return `${lines.join('\n')}\n`;
  const from = lines.findIndex((line) => line.trim() === `// #region ${region}`);
  const to = lines.findIndex((line, at) => at > from && line.trim() === '// #endregion');
  if (from < 0 || to < 0) throw new Error(`${file} has no region '${region}'`);
  const inside = lines.slice(from + 1, to);
  const indents = inside.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const indent = Math.min(...indents);
  return `${inside.map((line) => line.slice(indent)).join('\n')}\n`;
}

/** Returns the page with up-to-date quotations. */
export const withQuotes = (root: string, page: string): string =>
  page.replace(BLOCK, (_, file: string, region = '', shownAs = '', language: string) => {
    const code = quoted(root, file, region === '' ? undefined : region.slice(1));
    const shown = shownAs === '' ? code : code.replace(/'((?:\.\.\/)+)examples\//g, "'$1projections/");
    return `<!-- quoted: ${file}${region}${shownAs} -->\n\n\`\`\`${language}\n${shown}\`\`\``;
  });

/** Returns the pages that may contain quotations. */
export const pages = (root: string): string[] => [
  'README.md',
  'client/README.md',
  'engine/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const page of pages(process.cwd())) {
    const text = readFileSync(page, 'utf8');
    const right = withQuotes(process.cwd(), text);
    if (right !== text) writeFileSync(page, right);
  }
