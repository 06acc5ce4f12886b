/** States of a page without data: loading, failed and empty. */
import type { ComponentChildren } from 'preact';
import type { Failed } from '../api/client.js';
import { Icon } from './icons.js';
import type { Load } from './load.js';

export const Loading = ({ rows = 6 }: { rows?: number }) => (
  <div class="skeleton" role="status">
    <span class="unseen">Loading</span>
    {Array.from({ length: rows }, (_, i) => (
      <div class="bone" key={i} />
    ))}
  </div>
);

/** `top`: the title is the heading of the whole page. */
const Title = ({ text, top }: { text: string; top?: boolean | undefined }) => (top ? <h1>{text}</h1> : <h2>{text}</h2>);

interface EmptyProps {
  readonly title: string;
  readonly top?: boolean;
  readonly children?: ComponentChildren;
}

export const Empty = ({ title, top, children }: EmptyProps) => (
  <div class="state">
    <Icon name="empty" />
    <Title text={title} top={top} />
    {children !== undefined && <p>{children}</p>}
  </div>
);

const SAID: Readonly<Record<number, readonly [string, string]>> = {
  0: ['The service does not answer', 'It may be restarting. The page continues when the service is back.'],
  403: ['Your role has no access', ''],
  404: ['Not found', 'It does not exist, or it belongs to another store.'],
  429: ['Too many requests', 'Wait a moment, then try again.'],
};

/** Why it is not there, and what to do. A session that is over is the frame's to show. */
export function Failure({ error, retry, top }: { error: Failed; retry?: () => void; top?: boolean | undefined }) {
  const [title, what] = SAID[error.status] ?? ['Something went wrong', ''];
  return (
    <div class="state" role="alert">
      <Icon name={error.status === 403 ? 'lock' : 'warn'} />
      <Title text={title} top={top} />
      <p>{what === '' ? error.message : what}</p>
      {retry !== undefined && error.status !== 403 && error.status !== 404 && (
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      )}
      {error.requestId !== undefined && (
        <p class="fine">
          {error.code} · request <code>{error.requestId}</code>
        </p>
      )}
    </div>
  );
}

/** The data when it is there, and otherwise why not. */
export function Shown<T>({
  load,
  rows,
  top,
  children,
}: {
  load: Load<T>;
  rows?: number;
  top?: boolean;
  children: (data: T) => ComponentChildren;
}) {
  if (load.data !== undefined) return <>{children(load.data)}</>;
  if (load.error !== undefined) return <Failure error={load.error} retry={load.reload} top={top} />;
  return <Loading {...(rows === undefined ? {} : { rows })} />;
}
