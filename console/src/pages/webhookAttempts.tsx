/** The attempts at an endpoint: how many arrive, how long they take, each with its outcome; one of them in full. */
import { useMemo } from 'preact/hooks';
import { read } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { Chart } from '../ui/chart.js';
import { clock, day, span } from '../ui/format.js';
import { useEvery, useLoad } from '../ui/load.js';
import { Chip, WhenExactly } from '../ui/parts.js';
import { hrefOf, refine, usePlace } from '../ui/router.js';
import { Shown } from '../ui/states.js';
import { type Column, Table } from '../ui/table.js';
import { Delivery } from './webhookDelivery.js';
import type { EndpointProps } from './webhookEndpoint.js';

type Attempt = Schemas['WebhookDeliveryBody'];

/** New attempts come by themselves; an auditor's looks are recorded, and not one every few seconds. */
const EVERY_MS = 3000;
const SHOWN = 100;

/** `share` of the values are not above it. */
const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;

function Figures({ rows }: { rows: readonly Attempt[] }) {
  const good = rows.filter(({ status }) => status === 'succeeded').length;
  const sorted = rows.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b);
  return (
    <dl class="facts figures">
      <div>
        <dt>Delivered</dt>
        <dd>
          {Math.floor((good / rows.length) * 100)} % <span class="fine">of the last {rows.length}</span>
        </dd>
      </div>
      <div>
        <dt>Median</dt>
        <dd>{span(percentile(sorted, 0.5))}</dd>
      </div>
      <div>
        <dt>95 % within</dt>
        <dd>{span(percentile(sorted, 0.95))}</dd>
      </div>
    </dl>
  );
}

/** In the order of their times. */
function latencies(rows: readonly Attempt[]) {
  const ordered = rows.toSorted((a, b) => Date.parse(a.attemptedAt) - Date.parse(b.attemptedAt));
  const of = (requested: Attempt['status']) =>
    ordered.map(({ status, latencyMs }) => (status === requested ? latencyMs : null));
  const at = ordered.map(({ attemptedAt }) => Date.parse(attemptedAt) / 1000);
  return { ordered, data: { at, values: [of('succeeded'), of('failed')] } };
}

const LOOK = {
  series: [
    { name: 'arrived', colour: '--green', drawn: 'dots' },
    { name: 'failed', colour: '--red', drawn: 'crosses' },
  ],
  up: 'latency, ms',
  height: 200,
  least: 1000,
  tens: true,
} as const;

function Latencies({ rows, zone }: { rows: readonly Attempt[]; zone: string }) {
  const { ordered, data } = useMemo(() => latencies(rows), [rows]);
  const sorted = ordered.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b);
  const failed = ordered.filter(({ status }) => status === 'failed').length;
  const words = [
    `Latency of the last ${ordered.length} attempts, ${day(ordered[0]!.attemptedAt, zone)} to ${day(ordered.at(-1)!.attemptedAt, zone)}:`,
    `${span(sorted[0]!)} to ${span(sorted.at(-1)!)}, median ${span(percentile(sorted, 0.5))}; ${failed} failed.`,
  ].join(' ');
  return (
    <Chart
      options={{ ...LOOK, zone, across: `time, ${zone}` }}
      data={data}
      words={`${words} Each is in the table below.`}
      labelOf={(index) => {
        const { attemptedAt, eventType, status, latencyMs } = ordered[index]!;
        return `${clock(attemptedAt, zone)}: ${eventType} ${status === 'failed' ? 'failed' : 'arrived'} after ${span(latencyMs)}`;
      }}
    />
  );
}

const COLUMNS: readonly Column[] = [
  { name: 'Event' },
  { name: 'Outcome' },
  { name: 'Attempt', num: true },
  { name: 'Latency', num: true },
  { name: 'When' },
  { name: 'Next' },
];

function Rows({ rows, zone, here, chosen }: { rows: readonly Attempt[]; zone: string; here: string; chosen?: string }) {
  return (
    <Table label="Attempts" columns={COLUMNS} long>
      {rows.map((one) => (
        <tr key={one.id} class={one.eventId === chosen ? 'here' : undefined}>
          <th scope="row">
            <a href={`${here}&event=${one.eventId}`} aria-current={one.eventId === chosen ? 'true' : undefined}>
              {one.eventType}
            </a>{' '}
            <small class="fine">
              {one.trigger === 'event' ? '' : `${one.trigger} · `}
              {one.eventId.slice(0, 8)}
            </small>
          </th>
          <td>
            <Chip value={one.status} /> <span class="fine">{one.responseCode ?? one.error}</span>
          </td>
          <td class="num">{one.attempt}</td>
          <td class="num">{span(one.latencyMs)}</td>
          <td>
            <WhenExactly at={one.attemptedAt} zone={zone} />
          </td>
          <td>{one.nextRetryAt !== undefined && <WhenExactly at={one.nextRetryAt} zone={zone} />}</td>
        </tr>
      ))}
    </Table>
  );
}

export function Attempts({ owner, endpoint, may }: EndpointProps) {
  const { query } = usePlace();
  const event = query.get('event') ?? undefined;
  const load = useLoad(`attempts ${endpoint.id}`, () =>
    read(
      '/workspaces/{workspaceId}/webhook-endpoints/{endpointId}/deliveries',
      { ...owner.ids, endpointId: endpoint.id },
      { limit: SHOWN },
    ),
  );
  useEvery(EVERY_MS, () => may && !load.loading && load.reload());
  const here = hrefOf(owner.path, { endpoint: endpoint.id });
  return (
    <Shown load={load} rows={3}>
      {({ deliveries }) =>
        deliveries.length === 0 ? (
          <p class="soft">Nothing has been sent in the last 30 days.</p>
        ) : (
          <>
            <div class="measured">
              <Figures rows={deliveries} />
            </div>
            <Latencies rows={deliveries} zone={owner.zone ?? 'UTC'} />
            <Rows
              rows={deliveries}
              zone={owner.zone ?? 'UTC'}
              here={here}
              {...(event !== undefined && { chosen: event })}
            />
            {event !== undefined && (
              <Delivery
                {...{ owner, endpoint, may, eventId: event }}
                newest={deliveries[0]!.id}
                away={() => refine({ event: undefined })}
              />
            )}
          </>
        )
      }
    </Shown>
  );
}
