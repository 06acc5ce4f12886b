/** The frame of every page. */
import { createHash } from 'node:crypto';
import { stylesheet } from './style.js';

/** A page; `scriptHash` is what its content security policy must allow. */
export interface Page {
  readonly text: string;
  readonly scriptHash?: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand in HTML, also inside an attribute's quotes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (found) => ENTITIES[found]!);

/** Escaped text with its `code` parts marked. */
export const prose = (text: string): string => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** `body` is HTML. `script` runs at the end of the page, allowed by its hash alone. */
export function page(title: string, body: string, script?: string): Page {
  const inline = script === undefined ? '' : `<script>${script}</script>`;
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${stylesheet.path}">
</head>
<body>
${body}
${inline}
</body>
</html>
`;
  if (script === undefined) return { text };
  return { text, scriptHash: `sha256-${createHash('sha256').update(script).digest('base64')}` };
}

/** A table with these headings; cells are HTML. Nothing for no rows. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const head = headings.map((heading) => `<th scope="col">${escaped(heading)}</th>`).join('');
  const lines = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n');
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${lines}</tbody></table></div>`;
}
