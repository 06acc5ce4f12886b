/** Calls of a page when something has happened in its store, so that it loads again. */
import { useEffect, useRef } from 'preact/hooks';
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { useTail } from '../api/tail.js';

/** Changes within this time are shown at once, in ms. */
const TOGETHER_MS = 400;

interface Followed {
  readonly area: string;
  readonly stream?: string;
  /** False: nothing is followed for now. */
  readonly isOn?: boolean;
}

/**
 * `changed` is called after events of an area: of one stream, if given. `touches` answers whether a stream may have
 * changed. Not for an auditor, all of whose reading is recorded.
 */
export function useChanges(
  session: ConsoleSessionBody,
  store: ConsoleStoreBody | undefined,
  { area, stream, isOn = true }: Followed,
  changed: (touches: (stream: string) => boolean) => void,
): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  /** Changed streams; undefined: some were left out, so it may be any. */
  const touched = useRef<Set<string> | undefined>(new Set());
  const calling = useRef(changed);
  calling.current = changed;
  useEffect(() => () => clearTimeout(timer.current), []);
  const query = { area, workspace: store?.workspaceId, stream };
  useTail('/tail', query, isOn && session.role !== 'auditor', undefined, ({ events, left }) => {
    if (left > 0) touched.current = undefined;
    for (const event of events) touched.current?.add(event.stream);
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const all = touched.current;
      touched.current = new Set();
      calling.current((one) => all?.has(one) ?? true);
    }, TOGETHER_MS);
  });
}
