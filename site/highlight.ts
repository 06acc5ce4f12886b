/** Code in colours, by classes: no page needs a style of its own. */
import { createRequire } from 'node:module';
import { escaped } from '../api/pages/escaped.js';

interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { readonly value: string };
}

// Its types bring those of a browser with them, which the server's sources must not see.
const load = createRequire(import.meta.url);
const hljs = load('highlight.js/lib/core') as Highlighter;

const KNOWN = ['bash', 'go', 'http', 'javascript', 'json', 'php', 'python', 'typescript'];
for (const name of KNOWN) hljs.registerLanguage(name, load(`highlight.js/lib/languages/${name}`));

const ALIASES: Readonly<Record<string, string>> = { js: 'javascript', ts: 'typescript', sh: 'bash', py: 'python' };

/** What a language goes by, whatever short name it was given. */
export const languageOf = (name: string): string => ALIASES[name] ?? name;

/** HTML. Text of a language that nobody knows stands as it is. */
const highlighted = (code: string, language: string): string =>
  KNOWN.includes(language) ? hljs.highlight(code, { language, ignoreIllegals: true }).value : escaped(code);

let count = 0;

/** A block of code that can be copied. `name`: over it; each block needs one that says what it is. */
export function codeBlock(code: string, language: string, name: string, attributes = ''): string {
  const text = code.replace(/\n+$/, '');
  const id = `code-${++count}`;
  return `<figure class="code"${attributes} aria-labelledby="${id}">
<figcaption><span id="${id}">${escaped(name)}</span><button type="button" class="copy" data-copy>Copy</button></figcaption>
<pre tabindex="0"><code>${highlighted(text, language)}</code></pre>
</figure>`;
}

/** Ids of blocks begin anew with each page, so that a page depends on nothing but itself. */
export function beginPage(): void {
  count = 0;
}
