/** A form on its way: one sending at a time, each thing done once, and what was refused. */
import { useRef, useState } from 'preact/hooks';
import { type Failed, newKey } from '../api/client.js';
import { asFailed } from './load.js';

export interface Sending {
  readonly busy: boolean;
  readonly error: Failed | undefined;
  /** Starts a new key: after a change it is another request. */
  renew(): void;
  /** Nothing while another is under way. `once`: the Idempotency-Key. */
  send<T>(event: SubmitEvent, request: (once: string) => Promise<T>, done: (answer: T) => void): void;
}

export function useSending(): Sending {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Failed>();
  const key = useRef(newKey());
  const renew = (): void => {
    key.current = newKey();
  };
  return {
    ...{ busy, error, renew },
    send(event, request, done) {
      event.preventDefault();
      if (busy) return;
      setBusy(true);
      setError(undefined);
      request(key.current).then(
        (answer) => {
          setBusy(false);
          renew();
          done(answer);
        },
        (failure: unknown) => {
          const failed = asFailed(failure);
          setBusy(false);
          setError(failed);
          // Without an answer the outcome is unknown: a retry with the same key returns it.
          if (failed.status >= 400 && failed.status < 500) renew();
        },
      );
    },
  };
}
