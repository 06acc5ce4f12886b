/** Calls of a page when something has happened in its store, so that it loads again. */
import { useEffect, useRef } from 'preact/hooks';
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { useTail } from '../api/tail.js';

/** Changes within this time are shown at once, in ms. */
const TOGETHER_MS = 400;

/**
 * `changed` is called after events of an area: of one stream, if given. Not for an auditor, all of whose reading is
 * recorded.
 */
export function useChanges(
  session: ConsoleSessionBody,
  { workspaceId }: ConsoleStoreBody,
  { area, stream }: { readonly area: string; readonly stream?: string },
  changed: () => void,
): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const calling = useRef(changed);
  calling.current = changed;
  useEffect(() => () => clearTimeout(timer.current), []);
  const query = { area, workspace: workspaceId, ...(stream !== undefined && { stream }) };
  useTail('/tail', query, session.role !== 'auditor', undefined, () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      calling.current();
    }, TOGETHER_MS);
  });
}
