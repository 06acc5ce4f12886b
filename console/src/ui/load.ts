import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Failed } from '../api/client.js';

export type Load<T> = {
  readonly data?: T;
  readonly error?: Failed;
  readonly loading: boolean;
  /** Reloads, and shows the current data meanwhile. */
  reload(): void;
};

/** Whatever went wrong, as pages show it. */
export const asFailed = (error: unknown): Failed =>
  error instanceof Failed ? error : new Failed(0, 'broken', error instanceof Error ? error.message : String(error));

/** Loads data when the key changes. Drops an answer that arrives after the next request. */
export function useLoad<T>(key: string, request: () => Promise<T>): Load<T> {
  const [state, setState] = useState<{ key: string; data?: T; error?: Failed; loading: boolean }>({
    key,
    loading: true,
  });
  const turn = useRef(0);
  const pendingRequest = useRef(request);
  pendingRequest.current = request;
  const run = useCallback((requested: string, fresh: boolean) => {
    turn.current += 1;
    const mine = turn.current;
    setState((before) => (fresh ? { key: requested, loading: true } : { ...before, loading: true }));
    pendingRequest.current().then(
      (data) => mine === turn.current && setState({ key: requested, data, loading: false }),
      (error) => mine === turn.current && setState((before) => ({ ...before, error: asFailed(error), loading: false })),
    );
  }, []);
  useEffect(() => run(key, true), [key, run]);
  const current = state.key === key ? state : { key, loading: true };
  return { ...current, reload: () => run(key, false) };
}

/** Calls again every so many ms while the page is seen. */
export function useEvery(ms: number, call: () => void): void {
  const calling = useRef(call);
  calling.current = call;
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && calling.current(), ms);
    return () => clearInterval(timer);
  }, [ms]);
}

/** Returns the value once it is unchanged for a while. */
export function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
