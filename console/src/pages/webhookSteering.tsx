/**
 * Actions of an endpoint: test, replay, new secret, enable, disable, change and delete, each by an operation of the
 * API.
 */
import { useState } from 'preact/hooks';
import { act } from '../api/client.js';
import { Outcome, Sure, useActing } from '../ui/actions.js';
import { fieldTime } from '../ui/format.js';
import { refine, usePlace } from '../ui/router.js';
import type { EndpointProps } from './webhookEndpoint.js';
import { EndpointForm } from './webhookForm.js';

const ENDPOINT = '/workspaces/{workspaceId}/webhook-endpoints/{endpointId}';

/** Shown until it is closed: no later answer has it. */
export function Secret({ secret, away }: { secret: string; away: () => void }) {
  const [copied, setCopied] = useState(false);
  const copy = (): void =>
    void navigator.clipboard.writeText(secret).then(
      () => setCopied(true),
      () => undefined,
    );
  return (
    <div class="note secret" role="status">
      <p>The endpoint’s secret, shown only once. Store it where deliveries are verified.</p>
      <p>
        <code>{secret}</code>
      </p>
      <p class="actions">
        <button type="button" class="button small" onClick={copy}>
          {copied ? 'Copied' : 'Copy'}
        </button>
        <button type="button" class="button small" onClick={away}>
          I stored it
        </button>
      </p>
    </div>
  );
}

interface SteeringProps extends Omit<EndpointProps, 'may'> {
  reload(): void;
  /** It is no more. */
  gone(): void;
}

export function Steering({ owner, endpoint, reload, gone }: SteeringProps) {
  const of = { ...owner.ids, endpointId: endpoint.id };
  const acting = useActing(reload);
  const [secret, setSecret] = useState<string>();
  const [hours, setHours] = useState(24);
  const isOn = endpoint.status === 'active';
  const test = (): void =>
    acting.run(() => act(`POST ${ENDPOINT}/test`, of, undefined), 'Test sent. Its attempt is listed below.');
  const replay = (event: SubmitEvent): void => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget as HTMLFormElement).get('since') ?? '');
    const since = fieldTime(text, owner.zone);
    if (since === undefined) return;
    acting.run(() => act(`POST ${ENDPOINT}/replay`, of, { since }), 'Events since then are being sent, in order.');
  };
  const rotate = (): void =>
    acting.run(async () => {
      const made = await act(`POST ${ENDPOINT}/rotate-secret`, of, undefined, { keepPreviousHours: hours });
      setSecret(made.secret);
    }, 'Secret replaced.');
  const remove = (): void =>
    acting.run(async () => {
      await act(`DELETE ${ENDPOINT}`, of, undefined);
      gone();
    }, 'The endpoint is deleted.');
  const change = usePlace().query.get('do') === 'change';
  const close = (): void => refine({ do: undefined });
  const turn = (): void =>
    acting.run(
      () => act(`PATCH ${ENDPOINT}`, of, { status: isOn ? 'disabled' : 'active' }),
      isOn ? 'Endpoint disabled. Nothing is sent.' : 'Endpoint enabled.',
    );
  return (
    <div class="steering">
      <p class="actions">
        <button type="button" class="button small" disabled={acting.busy} onClick={test}>
          Send a test
        </button>
        <button
          type="button"
          class="button small"
          aria-expanded={change}
          onClick={() => refine({ do: change ? undefined : 'change' })}
        >
          Change
        </button>
        <Sure yes={isOn ? 'Yes, disable it' : 'Yes, enable it'} disabled={acting.busy} onYes={turn}>
          {isOn ? 'Disable' : 'Enable'}
        </Sure>
        <Sure yes="Yes, delete it with its attempts" disabled={acting.busy} onYes={remove}>
          Delete
        </Sure>
      </p>
      <div class="fields apart">
        <form class="fields" onSubmit={replay}>
          <label>
            Missed since{' '}
            <input
              name="since"
              type="datetime-local"
              required
              disabled={!isOn}
              title={`Time of ${owner.zone ?? 'UTC'}`}
            />
          </label>
          <button type="submit" class="button" disabled={acting.busy || !isOn}>
            Replay missed events
          </button>
        </form>
        <div class="fields">
          <label>
            Previous secret also signs for{' '}
            <select value={hours} onChange={({ currentTarget }) => setHours(Number(currentTarget.value))}>
              <option value={24}>a day</option>
              <option value={168}>a week</option>
              <option value={0}>no longer</option>
            </select>
          </label>
          <Sure yes="Yes, replace it" disabled={acting.busy} onYes={rotate}>
            Replace the secret
          </Sure>
        </div>
      </div>
      {change && (
        <EndpointForm
          key={endpoint.updatedAt}
          {...{ owner, endpoint, away: close }}
          done={() => {
            close();
            reload();
          }}
        />
      )}
      {secret !== undefined && <Secret secret={secret} away={() => setSecret(undefined)} />}
      <Outcome acting={acting} />
    </div>
  );
}
