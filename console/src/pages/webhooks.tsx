/** Webhook endpoints of a store or a partner with their health, and of one its attempts and what can be done with it. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { read, readConsole } from '../api/client.js';
import { useLoad } from '../ui/load.js';
import { Chip, Own, When } from '../ui/parts.js';
import { canChange } from '../ui/permission.js';
import { hrefOf, refine, usePlace } from '../ui/router.js';
import { Empty, Shown } from '../ui/states.js';
import { Attempts } from './webhookAttempts.js';
import type { EndpointProps, Owner } from './webhookEndpoint.js';
import { EndpointForm } from './webhookForm.js';
import { Secret, Steering } from './webhookSteering.js';
import { HowToVerify } from './webhookVerify.js';

/** Parameters of the address that open a part of an endpoint. */
const CLOSED = { endpoint: undefined, event: undefined, verify: undefined, do: undefined } as const;

function Health({ owner: { zone }, endpoint }: Pick<EndpointProps, 'owner' | 'endpoint'>) {
  const { failingSince, lastSuccessAt, disabledReason, previousSecretExpiresAt, secretMasked } = endpoint;
  return (
    <p class="fine">
      secret <code>{secretMasked}</code> ·{' '}
      {failingSince !== undefined && (
        <>
          failing since <When at={failingSince} zone={zone} />;{' '}
        </>
      )}
      {lastSuccessAt === undefined ? (
        'no success yet'
      ) : (
        <>
          last success <When at={lastSuccessAt} zone={zone} />
        </>
      )}
      {disabledReason !== undefined && ` · disabled: ${disabledReason}`}
      {previousSecretExpiresAt !== undefined && (
        <>
          {' · the previous secret also signs until '}
          <When at={previousSecretExpiresAt} zone={zone} />
        </>
      )}
    </p>
  );
}

interface OneProps extends EndpointProps {
  readonly open: boolean;
  reload(): void;
}

function One({ owner, endpoint, may, open, reload }: OneProps) {
  const { id, url, description, status, events, failingSince } = endpoint;
  const isFailing = failingSince !== undefined && status === 'active';
  return (
    <li class="card">
      <header class="title">
        <h2 class="url">
          <bdi>{url}</bdi> <Chip value={isFailing ? 'failed' : status} label={isFailing ? 'failing' : status} />
        </h2>
        <button
          type="button"
          class="button small"
          aria-expanded={open}
          onClick={() => refine({ ...CLOSED, endpoint: open ? undefined : id })}
        >
          {open ? 'Hide attempts' : 'Show attempts'}
        </button>
      </header>
      {description !== '' && (
        <p>
          <Own text={description} />
        </p>
      )}
      <Health owner={owner} endpoint={endpoint} />
      <ul class="chips" aria-label="Subscribed events">
        {events.map((event) => (
          <li key={event} class="chip">
            {event}
          </li>
        ))}
      </ul>
      {open && may && (
        <Steering
          {...{ owner, endpoint, reload }}
          gone={() => {
            refine(CLOSED);
            reload();
          }}
        />
      )}
      {open && <HowToVerify />}
      {open && <Attempts owner={owner} endpoint={endpoint} may={may} />}
    </li>
  );
}

interface Made {
  readonly url: string;
  /** Absent: it was made by the same request before, whose answer did not come. */
  readonly secret?: string;
}

function JustMade({ made: { url, secret }, away }: { made: Made; away: () => void }) {
  return (
    <section class="card" aria-label="The new endpoint">
      <h2 class="url">
        <bdi>{url}</bdi>
      </h2>
      {secret === undefined ? (
        <p class="note">
          The endpoint already exists, and its secret was shown at its creation. Replace the secret to see a new one.
        </p>
      ) : (
        <Secret secret={secret} away={away} />
      )}
    </section>
  );
}

interface EndpointsProps {
  readonly session: ConsoleSessionBody;
  readonly owner: Owner;
  readonly title: ComponentChildren;
  /** Text about the endpoints. */
  readonly about: ComponentChildren;
  /** Text for an empty list. */
  readonly none: string;
}

function Endpoints({ session, owner, title, about, none }: EndpointsProps) {
  const { query } = usePlace();
  const load = useLoad(`endpoints ${owner.path}`, () => read('/workspaces/{workspaceId}/webhook-endpoints', owner.ids));
  const chosen = query.get('endpoint');
  const may = canChange(session, 'developers:manage');
  const isNew = may && query.get('do') === 'new';
  /** The endpoint that was just created. */
  const [made, setMade] = useState<Made>();
  const { reload } = load;
  return (
    <section class="page">
      <header class="title">
        <h1>{title}</h1>
        <p class="fine">{about}</p>
        {may && (
          <span class="actions">
            <button
              type="button"
              class="button primary"
              aria-expanded={isNew}
              onClick={() => refine({ ...CLOSED, do: isNew ? undefined : 'new' })}
            >
              New endpoint
            </button>
          </span>
        )}
      </header>
      {isNew && (
        <section class="card" aria-label="New endpoint">
          <EndpointForm
            owner={owner}
            away={() => refine(CLOSED)}
            done={({ id, url }, secret) => {
              setMade({ url, ...(secret !== undefined && { secret }) });
              refine({ ...CLOSED, endpoint: id });
              reload();
            }}
          />
        </section>
      )}
      {made !== undefined && <JustMade made={made} away={() => setMade(undefined)} />}
      <Shown load={load} rows={4}>
        {({ endpoints }) =>
          endpoints.length === 0 ? (
            !isNew && <Empty title="No endpoints yet">{none}</Empty>
          ) : (
            <ul class="cards one">
              {endpoints.map((endpoint) => (
                <One key={endpoint.id} {...{ owner, endpoint, may, reload }} open={chosen === endpoint.id} />
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  );
}

export function Webhooks({ session, store }: { session: ConsoleSessionBody; store: ConsoleStoreBody }) {
  const { workspaceId, timezone: zone } = store;
  return (
    <Endpoints
      session={session}
      owner={{ ids: { workspaceId }, path: `/s/${workspaceId}/webhooks`, zone }}
      title="Webhooks"
      about="Endpoints of the store. Those of its partner are on the partner’s page."
      none="An endpoint receives signed events of the store."
    />
  );
}

/** Endpoints of a partner, for roles that see every store. */
export function PartnerWebhooks({ session, partnerId }: { session: ConsoleSessionBody; partnerId: string }) {
  const name = 'partners.list';
  const load = useLoad(`partner ${partnerId}`, () =>
    readConsole('/commands/{name}', { name }, { search: partnerId, page: 5 }),
  );
  const partners = (load.data?.result.partners ?? []) as readonly { readonly id: string; readonly name: string }[];
  const called = partners.find(({ id }) => id === partnerId)?.name;
  return (
    <Endpoints
      session={session}
      owner={{ ids: { partnerId }, path: `/admin/partners/${partnerId}/webhooks` }}
      title={
        called === undefined ? (
          'A partner’s webhooks'
        ) : (
          <>
            Webhooks of <Own text={called} />
          </>
        )
      }
      about={
        <>
          The endpoints of the <a href={hrefOf('/admin/partners', { row: partnerId })}>partner</a>, which receive the
          events of all its stores.
        </>
      }
      none="An endpoint receives signed events of the partner’s stores."
    />
  );
}
