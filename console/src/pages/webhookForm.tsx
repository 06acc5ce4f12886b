/** A form that creates or changes an endpoint: address, event types and description, with the problems of the API. */
import { useState } from 'preact/hooks';
import { act, read } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { FormEnd } from '../ui/actions.js';
import { useLoad } from '../ui/load.js';
import { useSending } from '../ui/sending.js';
import { Shown } from '../ui/states.js';
import { faultAt, TextField } from '../ui/textField.js';
import type { Owner } from './webhookEndpoint.js';

type Endpoint = Schemas['WebhookEndpointBody'];
type Events = Schemas['CreateWebhookEndpointInputBody']['events'];

const ENDPOINTS = '/workspaces/{workspaceId}/webhook-endpoints';
const LONGEST_URL = 2048;
const LONGEST_DESCRIPTION = 200;

interface ChoiceProps {
  readonly types: readonly Schemas['WebhookEventTypeBody'][];
  readonly chosen: ReadonlySet<string>;
  readonly fault: string | undefined;
  choose(chosen: ReadonlySet<string>): void;
}

/** Shows text between backticks as code. */
const Described = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>
);

function EventChoice({ types, chosen, fault, choose }: ChoiceProps) {
  const turn = (type: string): void => {
    const next = new Set(chosen);
    if (!next.delete(type)) next.add(type);
    choose(next);
  };
  return (
    <fieldset class="field choices" aria-describedby="endpoint-events-about" aria-invalid={fault !== undefined}>
      <legend>
        Events <span class="fine">required</span>
      </legend>
      <p class="fine" id="endpoint-events-about">
        {fault !== undefined && <span class="bad">{fault} </span>}
        Events to receive.{' '}
        <button type="button" class="button small" onClick={() => choose(new Set(types.map(({ type }) => type)))}>
          All
        </button>{' '}
        <button type="button" class="button small" onClick={() => choose(new Set())}>
          None
        </button>
      </p>
      <div class="event-choices">
        {types.map(({ type, description, emitted }) => (
          <label key={type}>
            <input type="checkbox" name="events" checked={chosen.has(type)} onChange={() => turn(type)} />
            <span>
              <code>{type}</code>
              <small class="fine">
                <Described text={description} />
                {!emitted && ' Not sent yet.'}
              </small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface FormProps {
  readonly owner: Owner;
  /** The one that is changed; a new one when absent. */
  readonly endpoint?: Endpoint;
  /** `secret` is present for a new endpoint; no other answer has it. */
  done(endpoint: Endpoint, secret: string | undefined): void;
  away(): void;
}

function Form({ owner, endpoint, done, away, types }: FormProps & Pick<ChoiceProps, 'types'>) {
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(endpoint?.events));
  const sending = useSending();
  const { busy, error, renew } = sending;
  const set =
    <T,>(change: (value: T) => void) =>
    (value: T): void => {
      renew();
      change(value);
    };
  const request = async (once: string) => {
    const body = { url: url.trim(), description: description.trim(), events: [...chosen] as unknown as Events };
    if (endpoint === undefined) return await act(`POST ${ENDPOINTS}`, owner.ids, body, {}, once);
    const of = { ...owner.ids, endpointId: endpoint.id };
    return { endpoint: await act(`PATCH ${ENDPOINTS}/{endpointId}`, of, body), secret: undefined };
  };
  const submit = (event: SubmitEvent): void => sending.send(event, request, (made) => done(made.endpoint, made.secret));
  const faults = error?.faults;
  return (
    <form
      class="command"
      onSubmit={submit}
      aria-label={endpoint === undefined ? 'New endpoint' : `Change ${endpoint.url}`}
    >
      <div class="command-fields">
        <TextField
          {...{ id: 'endpoint-url', name: 'url', label: 'URL', value: url, most: LONGEST_URL }}
          required
          about="https, on the public internet, port 443 or from 1024 on."
          fault={faultAt(faults, /^body\.url/)}
          change={set(setUrl)}
        />
        <TextField
          {...{ id: 'endpoint-description', name: 'description', label: 'Description', value: description }}
          most={LONGEST_DESCRIPTION}
          about="A description of the endpoint."
          fault={faultAt(faults, /^body\.description/)}
          change={set(setDescription)}
        />
      </div>
      <EventChoice {...{ types, chosen }} fault={faultAt(faults, /^body\.events/)} choose={set(setChosen)} />
      <FormEnd submit={endpoint === undefined ? 'Create the endpoint' : 'Save'} {...{ busy, error, away }} />
    </form>
  );
}

export function EndpointForm(props: FormProps) {
  const { path, ids } = props.owner;
  const load = useLoad(`event types ${path}`, () => read('/workspaces/{workspaceId}/webhook-event-types', ids));
  return (
    <Shown load={load} rows={4}>
      {({ eventTypes }) => <Form {...props} types={eventTypes} />}
    </Shown>
  );
}
