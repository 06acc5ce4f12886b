/** The live tail of the log, connected again when it breaks, from where it was. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConsoleEventBody, ConsoleLiveBody } from '../../../api/console/contract.js';
import { look, tailUrl } from './client.js';

const AGAIN_MS = 2000;

export interface TailState {
  readonly state: 'on' | 'off';
  /** Events that were not shown, because too many came at once. */
  readonly left: number;
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

/** `since`: the newest that is shown already when it begins. A browser connects again by itself, with the last id. */
export function useTail(
  query: Readonly<Record<string, string | undefined>>,
  wanted: boolean,
  since: number | undefined,
  add: (events: readonly ConsoleEventBody[]) => void,
): TailState {
  const [tail, setTail] = useState<TailState>({ state: 'off', left: 0 });
  const adding = useRef(add);
  adding.current = add;
  const from = useRef(since);
  from.current = since;
  const key = JSON.stringify(query);
  const [attempt, setAttempt] = useState(0);
  const isOpen = useSeen() && wanted;
  useEffect(() => {
    if (!isOpen) return;
    let again: ReturnType<typeof setTimeout> | undefined;
    const source = new EventSource(tailUrl({ ...query, since: from.current }));
    source.onopen = () => setTail((before) => ({ ...before, state: 'on' }));
    source.onerror = () => {
      setTail((before) => ({ ...before, state: 'off' }));
      // After an answer that is no stream a browser gives up: the service may be starting again.
      if (source.readyState !== EventSource.CLOSED) return;
      // Whether the session is over, which the stream itself does not tell.
      look('/session').catch(() => undefined);
      again = setTimeout(() => setAttempt((n) => n + 1), AGAIN_MS);
    };
    source.onmessage = ({ data }) => {
      const { events, left } = JSON.parse(data) as ConsoleLiveBody;
      if (left > 0) setTail((before) => ({ ...before, left: before.left + left }));
      adding.current(events);
    };
    return () => {
      clearTimeout(again);
      source.close();
    };
  }, [key, isOpen, attempt]);
  return tail;
}
