/** Buttons with which members assign, route, close, snooze and pin a conversation. */
import type { ConsoleStoreBody } from '../../../api/console/contract.js';
import { act } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { Outcome, useActing } from '../ui/actions.js';
import { Chip, When } from '../ui/parts.js';

const PATH = 'PATCH /workspaces/{workspaceId}/conversations/{conversationId}';
const HOUR_MS = 3_600_000;
/** Lengths of a snooze, in hours. */
const SNOOZES = [
  [1, '1 hour'],
  [4, '4 hours'],
  [24, '1 day'],
  [168, '1 week'],
] as const;

interface SteeringProps {
  readonly store: ConsoleStoreBody;
  readonly conversation: Schemas['ConversationBody'];
  readonly members: readonly Schemas['MemberBody'][];
  readonly teams: readonly { readonly id: string; readonly name: string }[];
  /** The signed-in member, if any. */
  readonly memberId: string | undefined;
  changed(): void;
}

type Change = Schemas['UpdateConversationInputBody'];

export const changeConversation = (workspaceId: string, conversationId: string, change: Change) =>
  act(PATH, { workspaceId, conversationId }, change);

export function Steering({ store, conversation, members, teams, memberId, changed }: SteeringProps) {
  const { id, status, assigneeMemberId, teamId, pinned, snoozedUntil } = conversation;
  const acting = useActing(changed);
  const change = (fields: Change, text: string): void =>
    acting.run(() => changeConversation(store.workspaceId, id, fields), text);
  const active = members.filter((one) => one.status === 'active' && one.role !== 'viewer');
  return (
    <fieldset class="steering bare" disabled={acting.busy} aria-label="Conversation">
      <Chip value={status} />
      {snoozedUntil !== undefined && (
        <span class="fine">
          until <When at={snoozedUntil} zone={store.timezone} />
        </span>
      )}
      <label for="assignee">
        Assigned to{' '}
        <select
          id="assignee"
          value={assigneeMemberId ?? ''}
          onChange={({ currentTarget: { value } }) =>
            change({ assigneeMemberId: value === '' ? null : value }, value === '' ? 'Unassigned.' : 'Assigned.')
          }
        >
          <option value="">nobody</option>
          {active.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name || one.email}
              {one.id === memberId ? ' (you)' : ''}
            </option>
          ))}
        </select>
      </label>
      {memberId !== undefined && assigneeMemberId !== memberId && (
        <button
          type="button"
          class="button small"
          onClick={() => change({ assigneeMemberId: memberId }, 'Assigned to you.')}
        >
          Assign to me
        </button>
      )}
      {teams.length > 0 && (
        <label for="team">
          Team{' '}
          <select
            id="team"
            value={teamId ?? ''}
            onChange={({ currentTarget: { value } }) =>
              change({ teamId: value === '' ? null : value }, 'The team is changed.')
            }
          >
            <option value="">every team</option>
            {teams.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {status === 'open' ? (
        <>
          <button type="button" class="button small" onClick={() => change({ status: 'closed' }, 'Closed.')}>
            Close
          </button>
          <label for="snooze">
            Snooze{' '}
            <select
              id="snooze"
              value=""
              onChange={({ currentTarget: { value } }) => {
                const snoozedUntil = new Date(Date.now() + Number(value) * HOUR_MS).toISOString();
                if (value !== '') change({ status: 'snoozed', snoozedUntil }, 'Snoozed.');
              }}
            >
              <option value="">for…</option>
              {SNOOZES.map(([hours, label]) => (
                <option key={hours} value={hours}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        </>
      ) : (
        <button type="button" class="button small" onClick={() => change({ status: 'open' }, 'Reopened.')}>
          Reopen
        </button>
      )}
      <button
        type="button"
        class="button small"
        aria-pressed={pinned}
        onClick={() => change({ pinned: !pinned }, pinned ? 'Unpinned.' : 'Pinned.')}
      >
        {pinned ? 'Unpin' : 'Pin'}
      </button>
      <Outcome acting={acting} />
    </fieldset>
  );
}
