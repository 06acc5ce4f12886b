/** The way in: what the link holds is exchanged for a session, once. */
import { useEffect, useState } from 'preact/hooks';
import { change, Failed } from '../api/client.js';
import { Icon } from '../ui/icons.js';
import { takeRequestedPage } from '../ui/requestedPage.js';
import { go } from '../ui/router.js';

const Alone = ({ title, children }: { title: string; children: preact.ComponentChildren }) => (
  <main class="alone">
    <div class="card door">
      <span class="mark" aria-hidden="true">
        S
      </span>
      <h1>{title}</h1>
      {children}
    </div>
  </main>
);

const HOW = (
  <>
    <p>Create a new link on the machine where the service runs:</p>
    <pre>
      <code>npx suuq console</code>
    </pre>
    <p class="fine">
      If you are a member of a store, ask its owner or your supervisor for a new sign-in link (<i>Members</i>), or the
      operator of the service.
    </p>
  </>
);

export const SignedOut = ({ reason }: { reason: string }) => (
  <Alone title="Sign in">
    <p class="said">
      <Icon name="lock" /> {reason}
    </p>
    {HOW}
  </Alone>
);

const NO_LINK = 'The link is incomplete. Copy the whole link.';

export function Enter() {
  const [failed, setFailed] = useState<string>();
  useEffect(() => {
    const link = location.hash.slice(1);
    // Removes the link from the browser's history.
    history.replaceState(null, '', location.pathname);
    if (link === '') {
      setFailed(NO_LINK);
      return;
    }
    change('/enter', {}, { link }).then(
      () => go(takeRequestedPage(), { replace: true }),
      (error) => setFailed(error instanceof Failed ? error.message : String(error)),
    );
  }, []);
  if (failed === undefined)
    return (
      <Alone title="Signing in">
        <p role="status">One moment…</p>
      </Alone>
    );
  return (
    <Alone title="You could not be signed in">
      <p class="said" role="alert">
        <Icon name="warn" /> {failed}
      </p>
      {HOW}
    </Alone>
  );
}
