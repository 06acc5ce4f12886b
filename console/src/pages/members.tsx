/** The people of a store, with their roles and teams, and links with which they sign in. */
import { useState } from 'preact/hooks';
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { act, type Failed, newKey } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { words } from '../ui/format.js';
import { asFailed } from '../ui/load.js';
import { Chip, Own, When } from '../ui/parts.js';
import { Failure, Shown } from '../ui/states.js';
import { usePeople } from './people.js';

type Member = Schemas['MemberBody'];

/** Length of the sessions that links open, in minutes. */
const LENGTHS: readonly (readonly [minutes: number, label: string])[] = [
  [60, '1 hour'],
  [480, '8 hours'],
  [1440, '24 hours'],
];
const ROLES = ['owner', 'admin', 'supervisor', 'agent', 'viewer'];
const MAKERS = ['owner', 'admin', 'supervisor'];

/** Returns whether the person may create a sign-in link for a member: an owner for everybody else, others for lower roles. */
function mayLink({ role, member }: ConsoleSessionBody, other: Member): boolean {
  if (other.status === 'disabled') return false;
  if (role === 'operator') return true;
  if (member === undefined || member.memberId === other.id) return false;
  const isBelow = ROLES.indexOf(member.role) < ROLES.indexOf(other.role);
  return member.role === 'owner' || (MAKERS.includes(member.role) && isBelow);
}

/** The link is shown once: it is stored nowhere. */
function Link({ store: { workspaceId }, member }: { store: ConsoleStoreBody; member: Member }) {
  const [minutes, setMinutes] = useState(480);
  const [made, setMade] = useState<{ readonly url?: string; readonly expiresAt: string }>();
  const [error, setError] = useState<Failed>();
  const make = (): void =>
    void act(
      'POST /workspaces/{workspaceId}/members/{memberId}/console-links',
      { workspaceId, memberId: member.id },
      { minutes },
      {},
      newKey(),
    ).then(setMade, (failure) => setError(asFailed(failure)));
  if (made?.url !== undefined)
    return (
      <div class="note" role="status">
        <p>
          Send this link to <Own text={member.name || member.email} />. It works once, until{' '}
          <When at={made.expiresAt} />, and is not shown again.
        </p>
        <pre>
          <code>{made.url}</code>
        </pre>
        <button
          type="button"
          class="button small"
          onClick={() => void navigator.clipboard.writeText(made.url ?? '').catch(() => undefined)}
        >
          Copy link
        </button>
      </div>
    );
  const id = `length-${member.id}`;
  return (
    <>
      {error !== undefined && <Failure error={error} />}
      <p class="actions">
        <label for={id}>
          Session{' '}
          <select id={id} value={minutes} onChange={({ currentTarget }) => setMinutes(Number(currentTarget.value))}>
            {LENGTHS.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="button small" onClick={make}>
          Create sign-in link
        </button>
      </p>
    </>
  );
}

export function Members({ session, store }: { session: ConsoleSessionBody; store: ConsoleStoreBody }) {
  const { timezone } = store;
  const load = usePeople(store);
  return (
    <section class="page">
      <header class="title">
        <h1>Members</h1>
        <p class="fine">
          Each member signs in with their own link. The role and teams of a member decide what the member sees and
          changes.
        </p>
      </header>
      <Shown load={load} rows={6}>
        {({ members, teams }) => (
          <ul class="cards">
            {members.map((member) => (
              <li key={member.id} class="card">
                <h2>
                  <Own text={member.name || member.email} />{' '}
                  {member.id === session.member?.memberId && <span class="chip green">you</span>}
                </h2>
                <p>
                  {words(member.role)} <Chip value={member.status} />
                </p>
                {member.teams.length > 0 && (
                  <p class="soft">
                    <Own
                      text={member.teams.map(({ id }) => teams.find((one) => one.id === id)?.name ?? id).join(', ')}
                    />
                  </p>
                )}
                <p class="fine">
                  {member.lastActiveAt === undefined ? (
                    'has not signed in yet'
                  ) : (
                    <>
                      last signed in <When at={member.lastActiveAt} zone={timezone} />
                    </>
                  )}
                </p>
                {mayLink(session, member) && <Link store={store} member={member} />}
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </section>
  );
}
