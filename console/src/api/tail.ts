/** A live tail, of the log or of requests, connected again when it breaks, from where it was. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  ConsoleLiveBody,
  ConsoleLiveRequestsBody,
  ConsoleLiveSessionBody,
  ConsoleMissedBody,
} from '../../../api/console/contract.js';
import { readConsole, tailUrl } from './client.js';
import { followStream } from './stream.js';

export interface TailState {
  readonly state: 'on' | 'off';
  /** How many were not shown, because too many came at once. */
  readonly left: number;
  /** Breaks after which not all that passed is shown, the newest first. */
  readonly gaps: readonly ConsoleMissedBody[];
  /** They were seen. */
  forget(): void;
}

/** Maximum number of gaps listed, the newest first. */
const MOST_GAPS = 3;

/** Messages of each tail. */
interface Tails {
  '/tail': ConsoleLiveBody;
  '/requests/tail': ConsoleLiveRequestsBody;
  '/session/tail': ConsoleLiveSessionBody;
}

/** A browser has few connections to one host, so that only tabs that are looked at hold one. */
function useSeen(): boolean {
  const [isSeen, setSeen] = useState(() => document.visibilityState === 'visible');
  useEffect(() => {
    const changed = (): void => setSeen(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', changed);
    return () => document.removeEventListener('visibilitychange', changed);
  }, []);
  return isSeen;
}

/** `since`: the newest that is shown already when it begins. It connects again with the last id. */
export function useTail<P extends keyof Tails>(
  path: P,
  query: Readonly<Record<string, string | undefined>>,
  requested: boolean,
  since: number | string | undefined,
  add: (message: Tails[P]) => void,
): TailState {
  const [tail, setTail] = useState<Omit<TailState, 'forget'>>({ state: 'off', left: 0, gaps: [] });
  const adding = useRef(add);
  adding.current = add;
  const from = useRef(since);
  const shown = useRef(since);
  // A changed position matters more than the shown one: it is seldom the newest event.
  if (since !== shown.current) from.current = since;
  shown.current = since;
  const key = JSON.stringify(query);
  const isOpen = useSeen() && requested;
  useEffect(() => {
    if (!isOpen) return;
    return followStream(tailUrl(path, { ...query, since: from.current }), {
      opened: () => setTail((before) => ({ ...before, state: 'on' })),
      broken: () => setTail((before) => ({ ...before, state: 'off' })),
      // Checks if the session is over, which the stream itself does not report.
      refused: () => void readConsole('/session').catch(() => undefined),
      message(data, id) {
        const message = JSON.parse(data) as Tails[P];
        const { left, missed } = message;
        from.current = id;
        if (left > 0) setTail((before) => ({ ...before, left: before.left + left }));
        if (missed !== undefined)
          setTail((before) => ({ ...before, gaps: [missed, ...before.gaps].slice(0, MOST_GAPS) }));
        adding.current(message);
      },
    });
  }, [path, key, isOpen]);
  // Of another question.
  useEffect(() => setTail((before) => ({ ...before, left: 0, gaps: [] })), [key]);
  return { ...tail, forget: () => setTail((before) => ({ ...before, gaps: [] })) };
}
