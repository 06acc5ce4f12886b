/** The console in a frame of a partner's page: without its own sign-in, as the user of the partner. */
import { useEffect, useState } from 'preact/hooks';
import { Failed, onSignedOut } from './api/client.js';
import { SignedIn } from './app.js';
import { applyAppearance } from './embed/appearance.js';
import { type Host, joinHost, NoSession } from './embed/host.js';
import { usePlace } from './ui/router.js';
import { Failure, Loading } from './ui/states.js';

/** Reports the page's place and height to the host, as they change. */
function useReports(host: Host | undefined): void {
  const { path, query } = usePlace();
  const text = query.toString();
  useEffect(() => {
    host?.post('navigated', { path: text === '' ? path : `${path}?${text}` });
  }, [host, path, text]);
  useEffect(() => {
    if (host === undefined) return;
    const observer = new ResizeObserver(() => host.post('height', { px: document.documentElement.scrollHeight }));
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [host]);
}

const OVER = new Failed(401, 'session_ended', 'Your session has ended. Reload the page.');

export function Embedded() {
  const [host, setHost] = useState<Host>();
  const [error, setError] = useState<Failed>();
  useEffect(() => {
    joinHost().then(
      (joined) => {
        applyAppearance(joined.appearance);
        setHost(joined);
      },
      (failure: unknown) => {
        const { code, message } =
          failure instanceof NoSession ? failure : new NoSession('unavailable', String(failure));
        setError(new Failed(0, code, message));
      },
    );
  }, []);
  useReports(host);
  useEffect(() => onSignedOut(() => setError(OVER)), []);
  if (error !== undefined)
    return (
      <main class="alone">
        <Failure error={error} top />
      </main>
    );
  if (host === undefined)
    return (
      <main class="alone">
        <Loading rows={3} />
      </main>
    );
  return (
    <SignedIn
      host={host}
      onOut={() => host.post('error', { code: 'session_ended', message: 'The session has ended.' })}
    />
  );
}
