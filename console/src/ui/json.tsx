/** JSON with coloured parts; new and changed values are marked. */
import { useState } from 'preact/hooks';

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;
/** Longer texts have no colours, which would be slow. */
const MOST_COLOURED = 60_000;

function coloured(text: string) {
  const parts: (string | preact.JSX.Element)[] = [];
  let done = 0;
  for (const found of text.matchAll(TOKEN)) {
    const [whole, string, colon, word] = found;
    if (found.index > done) parts.push(text.slice(done, found.index));
    const kind = string === undefined ? (word === undefined ? 'num' : 'lit') : colon === undefined ? 'str' : 'key';
    parts.push(
      <span class={`j-${kind}`} key={found.index}>
        {string ?? whole}
      </span>,
    );
    if (colon !== undefined) parts.push(colon);
    done = found.index + whole.length;
  }
  parts.push(text.slice(done));
  return parts;
}

export function Json({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const [copied, setCopied] = useState(false);
  const copy = (): void =>
    void navigator.clipboard
      .writeText(text)
      .then(() => setCopied(true))
      .catch(() => setCopied(false));
  return (
    <figure class="json">
      <button type="button" class="button small" onClick={copy} onBlur={() => setCopied(false)}>
        {copied ? 'Copied' : 'Copy'}
      </button>
      <pre tabIndex={0} aria-label={label} role="region" dir="ltr">
        <code>{text.length > MOST_COLOURED ? text : coloured(text)}</code>
      </pre>
    </figure>
  );
}
