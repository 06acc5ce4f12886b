/** A store's webhook endpoints with their health, and of one its attempts and what can be done with it. */
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { read } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { useLoad } from '../ui/load.js';
import { Chip, Own, When } from '../ui/parts.js';
import { refine, usePlace } from '../ui/router.js';
import { Empty, Shown } from '../ui/states.js';
import { Attempts } from './webhookAttempts.js';
import { Steering } from './webhookSteering.js';
import { HowToVerify } from './webhookVerify.js';

export type Endpoint = Schemas['WebhookEndpointBody'];

export interface EndpointProps {
  readonly store: ConsoleStoreBody;
  readonly endpoint: Endpoint;
  /** An auditor only reads. */
  readonly may: boolean;
}

function Health({ store, endpoint }: Pick<EndpointProps, 'store' | 'endpoint'>) {
  const { failingSince, lastSuccessAt, disabledReason, previousSecretExpiresAt } = endpoint;
  const zone = store.timezone;
  return (
    <p class="soft">
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
          {' · the secret before signs too until '}
          <When at={previousSecretExpiresAt} zone={zone} />
        </>
      )}
    </p>
  );
}

function One({ store, endpoint, may, open, reload }: EndpointProps & { open: boolean; reload: () => void }) {
  const { id, url, description, status, events, failingSince, secretMasked } = endpoint;
  const isFailing = failingSince !== undefined && status === 'active';
  return (
    <li class="card">
      <h2 class="url">
        <bdi>{url}</bdi> <Chip value={isFailing ? 'failed' : status} label={isFailing ? 'failing' : status} />
      </h2>
      {description !== '' && (
        <p>
          <Own text={description} />
        </p>
      )}
      <p class="fine">
        {events.join(', ')} · secret <code>{secretMasked}</code>
      </p>
      <Health store={store} endpoint={endpoint} />
      <button
        type="button"
        class="button small"
        aria-expanded={open}
        onClick={() => refine({ endpoint: open ? undefined : id, event: undefined, verify: undefined })}
      >
        {open ? 'Hide attempts' : 'Show attempts'}
      </button>
      {open && may && <Steering store={store} endpoint={endpoint} reload={reload} />}
      {open && <HowToVerify />}
      {open && <Attempts store={store} endpoint={endpoint} may={may} />}
    </li>
  );
}

export function Webhooks({ session, store }: { session: ConsoleSessionBody; store: ConsoleStoreBody }) {
  const { query } = usePlace();
  const { workspaceId } = store;
  const load = useLoad(`endpoints ${workspaceId}`, () =>
    read('/workspaces/{workspaceId}/webhook-endpoints', { workspaceId }),
  );
  const chosen = query.get('endpoint');
  return (
    <section class="page">
      <header class="title">
        <h1>Webhooks</h1>
        <p class="fine">The store’s own endpoints; its partner’s are the partner’s.</p>
      </header>
      <Shown load={load} rows={4}>
        {({ endpoints }) =>
          endpoints.length === 0 ? (
            <Empty title="No endpoint yet">
              An endpoint is told of what happens in the store, signed. The API’s <code>createWebhookEndpoint</code>{' '}
              makes one.
            </Empty>
          ) : (
            <ul class="cards one">
              {endpoints.map((endpoint) => (
                <One
                  key={endpoint.id}
                  store={store}
                  endpoint={endpoint}
                  may={session.role !== 'auditor'}
                  open={chosen === endpoint.id}
                  reload={load.reload}
                />
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  );
}
