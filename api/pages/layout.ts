/** The frame of every page. */
import { assets } from './assets.js';

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

/** A whole page as HTML; so is `body`. `script`: a file of the pages that runs when the page is there. */
export function page(title: string, body: string, script?: string): string {
  const running = script === undefined ? '' : `<script type="module" src="${assets.path}/${script}"></script>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${assets.path}/site.css">
${running}</head>
<body>
${body}
</body>
</html>
`;
}

/** A table with these headings; cells are HTML. Nothing for no rows. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const head = headings.map((heading) => `<th scope="col">${escaped(heading)}</th>`).join('');
  const lines = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n');
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${lines}</tbody></table></div>`;
}
