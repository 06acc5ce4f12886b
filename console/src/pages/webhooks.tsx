/** A store's webhook endpoints with their health, and the attempts of one. */
import type { ConsoleStoreBody } from '../../../api/console/contract.js';
import { read } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { span } from '../ui/format.js';
import { useLoad } from '../ui/load.js';
import { Chip, Own, When } from '../ui/parts.js';
import { refine, usePlace } from '../ui/router.js';
import { Empty, Shown } from '../ui/states.js';

type Endpoint = Schemas['WebhookEndpointBody'];

function Latencies({ rows }: { rows: readonly { latencyMs: number; status: string; id: string }[] }) {
  const most = Math.max(100, ...rows.map(({ latencyMs }) => latencyMs));
  const newest = rows.slice(0, 60).toReversed();
  return (
    <svg
      class="plot"
      viewBox="0 0 240 60"
      preserveAspectRatio="xMinYMax"
      role="img"
      aria-label={`Latency of the last ${newest.length} attempts, up to ${span(most)}`}
    >
      {newest.map(({ id, latencyMs, status }, i) => {
        const height = Math.max(2, (latencyMs / most) * 56);
        return <rect key={id} class={status} x={i * 4} y={60 - height} width={3} height={height} rx={1} />;
      })}
    </svg>
  );
}

function Attempts({ store, endpoint }: { store: ConsoleStoreBody; endpoint: Endpoint }) {
  const { workspaceId } = store;
  const load = useLoad(`attempts ${endpoint.id}`, () =>
    read(
      '/workspaces/{workspaceId}/webhook-endpoints/{endpointId}/deliveries',
      { workspaceId, endpointId: endpoint.id },
      { limit: 100 },
    ),
  );
  return (
    <Shown load={load} rows={3}>
      {({ deliveries }) =>
        deliveries.length === 0 ? (
          <p class="soft">Nothing has been sent in the last 30 days.</p>
        ) : (
          <>
            <Latencies rows={deliveries} />
            <div class="scroll attempts" tabIndex={0} role="region" aria-label="Attempts">
              <table class="wide">
                <thead>
                  <tr>
                    <th scope="col">Event</th>
                    <th scope="col">Outcome</th>
                    <th scope="col" class="num">
                      Attempt
                    </th>
                    <th scope="col" class="num">
                      Latency
                    </th>
                    <th scope="col">When</th>
                    <th scope="col">Next</th>
                  </tr>
                </thead>
                <tbody>
                  {deliveries.map((one) => (
                    <tr key={one.id}>
                      <th scope="row">
                        {one.eventType} <small class="fine">{one.eventId.slice(0, 8)}</small>
                      </th>
                      <td>
                        <Chip value={one.status} /> <span class="fine">{one.responseCode ?? one.error}</span>
                      </td>
                      <td class="num">{one.attempt}</td>
                      <td class="num">{span(one.latencyMs)}</td>
                      <td>
                        <When at={one.attemptedAt} zone={store.timezone} />
                      </td>
                      <td>{one.nextRetryAt !== undefined && <When at={one.nextRetryAt} zone={store.timezone} />}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )
      }
    </Shown>
  );
}

function One({ store, endpoint, open }: { store: ConsoleStoreBody; endpoint: Endpoint; open: boolean }) {
  const { id, url, description, status, events, failingSince, lastSuccessAt, disabledReason } = endpoint;
  return (
    <li class="card">
      <h2 class="url">
        <bdi>{url}</bdi>{' '}
        <Chip
          value={failingSince === undefined ? status : 'failed'}
          label={failingSince === undefined ? status : 'failing'}
        />
      </h2>
      {description !== '' && (
        <p>
          <Own text={description} />
        </p>
      )}
      <p class="fine">{events.join(', ')}</p>
      <p class="soft">
        {failingSince !== undefined && (
          <>
            failing since <When at={failingSince} zone={store.timezone} />;{' '}
          </>
        )}
        {lastSuccessAt === undefined ? (
          'no success yet'
        ) : (
          <>
            last success <When at={lastSuccessAt} zone={store.timezone} />
          </>
        )}
        {disabledReason !== undefined && ` · disabled: ${disabledReason}`}
      </p>
      <button
        type="button"
        class="button small"
        aria-expanded={open}
        onClick={() => refine({ endpoint: open ? undefined : id })}
      >
        {open ? 'Hide attempts' : 'Show attempts'}
      </button>
      {open && <Attempts store={store} endpoint={endpoint} />}
    </li>
  );
}

export function Webhooks({ store }: { store: ConsoleStoreBody }) {
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
                <One key={endpoint.id} store={store} endpoint={endpoint} open={chosen === endpoint.id} />
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  );
}
