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

/** Returns the full name of a language for a short one. */
export const languageOf = (name: string): string => ALIASES[name] ?? name;

/** Returns HTML. Text of an unknown language is unchanged. */
const highlighted = (code: string, language: string): string =>
  KNOWN.includes(language) ? hljs.highlight(code, { language, ignoreIllegals: true }).value : escaped(code);

let count = 0;

/** A block of code with a copy button. `name` is its title, unique and descriptive. */
export function codeBlock(code: string, language: string, name: string, attributes = ''): string {
  const text = code.replace(/\n+$/, '');
  const id = `code-${++count}`;
  return `<figure class="code"${attributes} aria-labelledby="${id}">
<figcaption><span id="${id}">${escaped(name)}</span><button type="button" class="copy" data-copy>Copy</button></figcaption>
<pre tabindex="0"><code>${highlighted(text, language)}</code></pre>
</figure>`;
}

/** Restarts the ids of blocks, so that a page depends only on itself. */
export function beginPage(): void {
  count = 0;
}
