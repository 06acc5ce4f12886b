/** A guide from its Markdown: headings that can be linked to, code that can be copied, and names that lead to their pages. */
import { Marked, type Token, type Tokens } from 'marked';
import { escaped } from '../api/pages/escaped.js';
import { codeBlock, languageOf } from './highlight.js';

export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly depth: number;
}

export interface Section {
  /** Heading above it; undefined before the first. */
  readonly heading?: Heading;
  /** Without any marks. */
  readonly text: string;
  /** Its sentences, without code and tables. */
  readonly prose: string;
}

export interface GuideText {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

/** Resolves links of the pages. */
export interface Linking {
  /** Returns the target of a link of the source; undefined if it is not on these pages. */
  place(href: string): string | undefined;
  /** The page of what a piece of code names, such as an operation. */
  named(code: string): string | undefined;
}

/** Sections for operators stay in the source: from such a line to the next heading of the same depth or less. */
const LEFT_OUT = /^<!-- docs: leave out -->\n\n?(#+) [\s\S]*?(?=^#{1,2} |^<!-- docs: leave out -->|(?![\s\S]))/gm;

/** The source without what is left out, and without remarks. */
export const shownPart = (source: string): string => source.replace(LEFT_OUT, '').replace(/<!--[\s\S]*?-->\n?/g, '');

/** As GitHub names headings, so that links work in both places. */
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const NAMES: Readonly<Record<string, string>> = {
  bash: 'Shell',
  javascript: 'JavaScript',
  typescript: 'TypeScript',
  python: 'Python',
  json: 'JSON',
  http: 'HTTP',
  go: 'Go',
  php: 'PHP',
};

/** Blocks without a language: commands are typed, the rest is shown. */
const guessed = (code: string): string =>
  /^(?:curl|npx|npm|suuq|export|node|#)/.test(code.trim()) ? 'bash' : /^(?:POST|GET) \//.test(code) ? 'http' : 'text';

function plain(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'html') return '';
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows]
          .flat()
          .map((cell) => plain(cell.tokens))
          .join(' ');
      }
      if (token.type === 'list') return (token as Tokens.List).items.map((one) => plain(one.tokens)).join(' ');
      const { tokens: inner, text } = token as { tokens?: Token[]; text?: string };
      return inner === undefined ? (text ?? '') : plain(inner);
    })
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

export function guideText(source: string, { place, named }: Linking): GuideText {
  const placed = new Map<Token, Heading>();
  const taken = new Map<string, number>();
  const headingOf = ({ tokens, depth }: Tokens.Heading): Heading => {
    const text = plain(tokens);
    const base = slug(text);
    const before = taken.get(base) ?? 0;
    taken.set(base, before + 1);
    return { id: before === 0 ? base : `${base}-${before}`, text, depth };
  };
  const marked = new Marked({
    renderer: {
      heading(token) {
        const { id, depth } = placed.get(token)!;
        return `<h${depth} id="${id}">${this.parser.parseInline(token.tokens)} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      code({ text, lang }) {
        const language = lang === undefined || lang === '' ? guessed(text) : languageOf(lang.split(' ')[0]!);
        return `${codeBlock(text, language, NAMES[language] ?? 'Text')}\n`;
      },
      codespan({ text }) {
        const code = `<code>${escaped(text)}</code>`;
        const to = named(text);
        return to === undefined || inLink > 0 ? code : `<a href="${escaped(to)}">${code}</a>`;
      },
      link({ href, tokens }) {
        const to = place(href);
        inLink += 1;
        const text = this.parser.parseInline(tokens);
        inLink -= 1;
        return to === undefined ? text : `<a href="${escaped(to)}">${text}</a>`;
      },
      table(token) {
        const head = token.header
          .map((cell) => `<th scope="col">${this.parser.parseInline(cell.tokens)}</th>`)
          .join('');
        const rows = token.rows.map(
          (row) => `<tr>${row.map((cell) => `<td>${this.parser.parseInline(cell.tokens)}</td>`).join('')}</tr>`,
        );
        return `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>\n`;
      },
      checkbox: () => '<span class="tick" aria-hidden="true"></span>',
      image: () => '',
      html: () => '',
    },
  });
  let inLink = 0;
  const all = marked.lexer(shownPart(source));
  const [first, ...rest] = all.filter(({ type }) => type !== 'space' && type !== 'html');
  if (first?.type !== 'heading') throw new Error('A guide begins with its title.');
  const sections: { heading?: Heading; text: string; prose: string }[] = [{ text: '', prose: '' }];
  for (const token of rest)
    if (token.type === 'heading') {
      const heading = headingOf(token as Tokens.Heading);
      placed.set(token, heading);
      sections.push({ heading, text: '', prose: '' });
    } else {
      const section = sections.at(-1)!;
      section.text += ` ${plain([token])}`;
      if (token.type === 'paragraph' || token.type === 'list') section.prose += ` ${plain([token])}`;
    }
  return {
    title: plain((first as Tokens.Heading).tokens),
    html: marked.parser(rest),
    headings: [...placed.values()],
    sections,
  };
}
