/** Two values side by side, as JSON, with what differs marked; and the same as a list. */

export interface Change {
  /** Such as `items/0/quantity`. */
  readonly path: string;
  /** JSON; absent: it was not there. */
  readonly was?: string;
  readonly is?: string;
}

interface Line {
  readonly text: string;
  /** Present for a value without members. */
  readonly path?: string;
  readonly value?: string;
}

/** Longer documents are shown from their beginning. */
const MOST_LINES = 2000;
const MOST_CHANGES = 60;

function lines(value: unknown, path = '', indent = '', name = '', end = ''): Line[] {
  const of = (text: string): Line => ({ text: `${indent}${name}${text}${end}`, path, value: text });
  if (value === null || typeof value !== 'object') return [of(JSON.stringify(value) ?? 'null')];
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const parts = Object.entries(value);
  if (parts.length === 0) return [of(open + close)];
  return [
    { text: `${indent}${name}${open}` },
    ...parts.flatMap(([key, part], i) =>
      lines(
        part,
        path === '' ? key : `${path}/${key}`,
        `${indent}  `,
        isList ? '' : `${JSON.stringify(key)}: `,
        i === parts.length - 1 ? '' : ',',
      ),
    ),
    { text: `${indent}${close}${end}` },
  ];
}

const leaves = (all: readonly Line[]): ReadonlyMap<string, string> =>
  new Map(all.flatMap(({ path, value }) => (path === undefined ? [] : [[path, value!]])));

const linesOf = (value: unknown): readonly Line[] => (value === undefined ? [] : lines(value));

/** Returns the changes by path, in the order of the later value. */
function changesOf(before: unknown, after: unknown): readonly Change[] {
  const was = leaves(linesOf(before));
  const is = leaves(linesOf(after));
  const paths = [...is.keys(), ...[...was.keys()].filter((path) => !is.has(path))];
  return paths.flatMap((path) => {
    const [old, now] = [was.get(path), is.get(path)];
    return old === now ? [] : [{ path, ...(old !== undefined && { was: old }), ...(now !== undefined && { is: now }) }];
  });
}

interface SideProps {
  readonly title: string;
  readonly value: unknown;
  readonly other: unknown;
  readonly sign: '−' | '+';
}

/** Marked by a sign too, not by colour alone. */
function Side({ title, value, other, sign }: SideProps) {
  const all = linesOf(value);
  const others = leaves(linesOf(other));
  return (
    <figure class="side-of">
      <figcaption class="fine">{title}</figcaption>
      {value === undefined ? (
        <p class="soft">Does not exist.</p>
      ) : (
        <pre tabIndex={0} role="region" aria-label={title} dir="ltr">
          {all.slice(0, MOST_LINES).map(({ text, path, value: own }, i) => {
            const isOther = path !== undefined && others.get(path) !== own;
            const Mark = isOther ? (sign === '+' ? 'ins' : 'del') : 'span';
            return (
              <Mark key={path ?? `#${i}`}>
                {isOther ? sign : ' '} {text}
                {'\n'}
              </Mark>
            );
          })}
          {all.length > MOST_LINES && `… ${all.length - MOST_LINES} more lines`}
        </pre>
      )}
    </figure>
  );
}

export interface DifferenceProps {
  readonly before: unknown;
  readonly after: unknown;
  /** Titles of the two values, such as `Before` and `After`. */
  readonly titles: readonly [string, string];
}

export function Difference({ before, after, titles }: DifferenceProps) {
  return (
    <div class="difference">
      <Side title={titles[0]} value={before} other={after} sign="−" />
      <Side title={titles[1]} value={after} other={before} sign="+" />
    </div>
  );
}

/** Short list of the changes. */
export function Changes({ before, after }: Pick<DifferenceProps, 'before' | 'after'>) {
  const all = changesOf(before, after);
  if (all.length === 0) return <p class="soft">No changes.</p>;
  return (
    <ul class="changes">
      {all.slice(0, MOST_CHANGES).map(({ path, was, is }) => (
        <li key={path} class="change">
          <code>{path}</code> {was !== undefined && <del>{was}</del>} {is !== undefined && <ins>{is}</ins>}
          {is === undefined && <span class="fine">removed</span>}
        </li>
      ))}
      {all.length > MOST_CHANGES && <li class="fine">and {all.length - MOST_CHANGES} more</li>}
    </ul>
  );
}
