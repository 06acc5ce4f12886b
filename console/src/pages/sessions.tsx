/** Open sessions of the console, with a button to end each. */
import { useState } from 'preact/hooks';
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { change, Failed, readConsole } from '../api/client.js';
import { words } from '../ui/format.js';
import { useLoad } from '../ui/load.js';
import { Own, When } from '../ui/parts.js';
import { hrefOf } from '../ui/router.js';
import { Failure, Shown } from '../ui/states.js';

const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Macintosh', 'Linux'] as const;

/** Such as `Firefox on Windows`; as it names itself where it is none of these. */
function browserWords(named: string): string {
  const browser = BROWSERS.find(([token]) => named.includes(`${token}/`))?.[1];
  const system = SYSTEMS.find((one) => named.includes(one))?.replace('Macintosh', 'macOS');
  return browser === undefined || system === undefined ? named : `${browser} on ${system}`;
}

export function Sessions({ session, stores }: { session: ConsoleSessionBody; stores: readonly ConsoleStoreBody[] }) {
  const load = useLoad('sessions', () =>
    session.role === 'operator'
      ? readConsole('/sessions')
      : Promise.reject(new Failed(403, 'permission_denied', 'Only operators can see this page.')),
  );
  const [error, setError] = useState<Failed>();
  const end = (id: string): void => void change('/sessions/{id}/end', { id }, {}).then(load.reload, setError);
  const nameOf = (id: string | undefined) => stores.find(({ workspaceId }) => workspaceId === id)?.name;
  return (
    <section class="page">
      <header class="title">
        <h1>Sessions</h1>
        <p class="fine">
          <code>suuq console</code> creates a link for an operator, <code>--role auditor</code> for an auditor whose
          reads are recorded, and <code>suuq admin members link --workspace ID --id MEMBER --for 8h</code> for a member
          of a store.
        </p>
      </header>
      {error !== undefined && <Failure error={error} />}
      <Shown load={load} rows={4}>
        {({ sessions }) => (
          <ul class="cards">
            {sessions.map(({ id, role, workspaceId, openedAt, expiresAt, browser, current }) => (
              <li key={id} class="card">
                <h2>
                  {words(role)} {current && <span class="chip green">this browser</span>}
                </h2>
                {workspaceId !== undefined && (
                  <p>
                    <Own text={nameOf(workspaceId) ?? workspaceId} />
                  </p>
                )}
                <p class="soft">
                  <When at={openedAt} /> until <When at={expiresAt} /> UTC
                </p>
                <p class="fine" title={browser}>
                  <bdi>{browser === undefined ? 'unknown browser' : browserWords(browser)}</bdi>
                </p>
                <p class="actions">
                  {role === 'auditor' && (
                    <a class="button small" href={hrefOf('/events', { stream: `consoleReads-${id}` })}>
                      Recorded reads
                    </a>
                  )}
                  {!current && (
                    <button type="button" class="button small danger" onClick={() => end(id)}>
                      End session
                    </button>
                  )}
                </p>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </section>
  );
}
