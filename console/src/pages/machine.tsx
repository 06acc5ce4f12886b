/** The machine room: read models and processors, how far they are, and what an operator does about it. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type {
  ConsoleChanges,
  ConsolePoisonBody,
  ConsoleProcessorBody,
  ConsoleProjectionBody,
  ConsoleSessionBody,
} from '../../../api/console/contract.js';
import { change, type Failed, look } from '../api/client.js';
import { Outcome, Sure, useActing } from '../ui/acting.js';
import { count, span } from '../ui/format.js';
import { Json } from '../ui/json.js';
import { useEvery, useLoad } from '../ui/load.js';
import { Chip, When } from '../ui/parts.js';
import { hrefOf } from '../ui/router.js';
import { Shown } from '../ui/states.js';
import { type Column, Table } from '../ui/table.js';
import { Measures } from './measures.js';

const EVERY_MS = 2000;

function Progress({ position, head }: { position: number; head: number }) {
  const share = head < 0 ? 1 : Math.min(1, (position + 1) / (head + 1));
  return (
    <span class="progress">
      <progress value={share} max={1} aria-label="How far" />
      <span class="fine">{Math.floor(share * 100)} %</span>
    </span>
  );
}

interface StoppedProps {
  readonly name: string;
  readonly stop: ConsolePoisonBody;
  readonly path: '/projections/{name}/skip' | '/processors/{name}/skip';
  readonly may: boolean;
  done(): void;
}

/** The event itself, who did it and when. */
function Poison({ position }: { position: number }) {
  const load = useLoad(`event ${position}`, () => look('/events/{position}', { position: String(position) }));
  return (
    <Shown load={load} rows={3}>
      {({ type, stream, at, actor, data, bytes, cut }) => (
        <>
          <p class="fine">
            {stream} · <bdi>{actor.name}</bdi> · <When at={at} />
            {cut && ` · ${count(bytes)} bytes, of which this is the beginning`}
          </p>
          <Json value={data} label={`Data of ${type}`} />
        </>
      )}
    </Shown>
  );
}

/** A read model that stands is tried again by building it anew: it comes by the event once more. */
function Again({ name, done }: { name: string; done: () => void }) {
  const acting = useActing(done);
  const begin = (): void => acting.run(() => change('/projections/{name}/rebuild', { name }, {}), 'It is built anew.');
  return (
    <>
      <button
        type="button"
        class="button small"
        aria-label={`Try ${name} again`}
        disabled={acting.busy}
        onClick={begin}
      >
        Try again, from the beginning
      </button>
      <Outcome acting={acting} />
    </>
  );
}

/** Where it stands, and the way past it, with the reason that is kept in the log. */
function Stopped({ name, stop, path, may, done }: StoppedProps) {
  const [error, setError] = useState<string>();
  const [open, setOpen] = useState(false);
  const skip = (event: SubmitEvent): void => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget as HTMLFormElement).get('reason') ?? '');
    const body: ConsoleChanges[typeof path] = { event: stop.eventId ?? '', reason };
    change(path, { name }, body).then(done, (failed: Failed) => setError(failed.message));
  };
  return (
    <div class="stopped">
      <p>
        <strong>{name}</strong> stands at{' '}
        {stop.type === undefined ? 'a place in the log' : <a href={hrefOf(`/events/${stop.position}`)}>{stop.type}</a>}:{' '}
        <code>{stop.error}</code>
      </p>
      {stop.type !== undefined && (
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>The event</summary>
          {open && <Poison position={stop.position} />}
        </details>
      )}
      {may && path === '/projections/{name}/skip' && (
        <p class="actions">
          <span class="fine">Mended?</span> <Again name={name} done={done} />
        </p>
      )}
      {may && path === '/processors/{name}/skip' && (
        <p class="fine">It tries again when its instance starts, such as with a version that is mended.</p>
      )}
      {may && stop.eventId !== undefined && (
        <form onSubmit={skip}>
          <label>
            Why it may be passed over <input name="reason" required maxLength={500} />
          </label>
          <button type="submit" class="button danger">
            Pass over the event
          </button>
          {error !== undefined && <p role="alert">{error}</p>}
        </form>
      )}
    </div>
  );
}

function Rebuild({ name, busy, done }: { name: string; busy: boolean; done: () => void }) {
  const acting = useActing(done);
  if (busy) return <span class="fine">building anew…</span>;
  const begin = (): void => acting.run(() => change('/projections/{name}/rebuild', { name }, {}), 'begun');
  return (
    <>
      <Sure label={`Rebuild ${name}`} yes="Yes, rebuild" disabled={acting.busy} onYes={begin}>
        Rebuild
      </Sure>
      {acting.error?.message}
    </>
  );
}

interface RowsProps<T> {
  readonly rows: readonly T[];
  readonly may: boolean;
  done(): void;
}

interface PartProps extends Pick<RowsProps<unknown>, 'may' | 'done'>, Pick<StoppedProps, 'path'> {
  readonly title: string;
  readonly about: string;
  /** Those that stand. */
  readonly stops: readonly (readonly [name: string, stop: ConsolePoisonBody | undefined])[];
  readonly columns: readonly Column[];
  readonly children: ComponentChildren;
}

function Part({ title, about, stops, path, may, done, columns, children }: PartProps) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <p class="fine">{about}</p>
      {stops.map(([name, stop]) => stop && <Stopped key={name} {...{ name, stop, path, may, done }} />)}
      <Table label={title} columns={columns}>
        {children}
      </Table>
    </section>
  );
}

const PROJECTION_COLUMNS: readonly Column[] = [
  { name: 'Name' },
  { name: 'State' },
  { name: 'How far' },
  { name: 'Behind', num: true },
  { name: 'Events/s', num: true },
  { name: 'Owner' },
];

function Projections({ rows, may, done }: RowsProps<ConsoleProjectionBody>) {
  return (
    <Part
      title="Read models"
      about="A rebuild fills a new one beside the one that answers, and takes its place when it has caught up: nobody sees a gap."
      stops={rows.map(({ name, poison }) => [name, poison])}
      path="/projections/{name}/skip"
      columns={may ? [...PROJECTION_COLUMNS, { name: 'Rebuild', unseen: true }] : PROJECTION_COLUMNS}
      {...{ may, done }}
    >
      {rows.map((one) => (
        <tr key={one.name}>
          <th scope="row">
            <a href={hrefOf(`/machine/${one.name}`)}>{one.name}</a> <small class="fine">v{one.version}</small>
          </th>
          <td>
            <Chip value={one.state} />
            {one.handlersChanged && <small class="fine">other handlers of the same version</small>}
          </td>
          <td>
            <Progress position={one.position} head={one.head} />
          </td>
          <td class="num">
            {count(one.lag)}
            {one.etaMs !== undefined && <small class="fine">{span(one.etaMs)}</small>}
          </td>
          <td class="num">{count(one.eventsPerSecond)}</td>
          <td>{one.owner ?? (one.state === 'elsewhere' ? 'nobody' : 'this instance')}</td>
          {may && (
            <td class="num">
              <Rebuild name={one.name} busy={one.state === 'rebuilding'} done={done} />
            </td>
          )}
        </tr>
      ))}
    </Part>
  );
}

const PROCESSOR_COLUMNS: readonly Column[] = [
  { name: 'Name' },
  { name: 'State' },
  { name: 'Behind', num: true },
  { name: 'Owed', num: true },
  { name: 'Passed over', num: true },
];

function Processors({ rows, may, done }: RowsProps<ConsoleProcessorBody>) {
  return (
    <Part
      title="Processors"
      about="They turn events into webhooks, messages and pushes, at least once each."
      stops={rows.map(({ name, stop }) => [name, stop])}
      path="/processors/{name}/skip"
      columns={PROCESSOR_COLUMNS}
      {...{ may, done }}
    >
      {rows.map(({ name, state, position, head, owed, skipped }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>
            <Chip value={state} />
          </td>
          <td class="num">{count(Math.max(0, head - position))}</td>
          <td class="num">{count(owed)}</td>
          <td class="num">{count(skipped)}</td>
        </tr>
      ))}
    </Part>
  );
}

export function Machine({ session }: { session: ConsoleSessionBody }) {
  const load = useLoad('machine', () => look('/machine'));
  const may = session.role === 'operator';
  // An auditor's looks are recorded: not one every two seconds.
  useEvery(EVERY_MS, () => may && !load.loading && load.reload());
  return (
    <section class="page">
      <header class="title">
        <h1>Machine room</h1>
        {load.error !== undefined && load.data !== undefined && (
          <p class="fine" role="alert">
            {load.error.message}
          </p>
        )}
      </header>
      <Shown load={load} rows={12}>
        {(machine) => (
          <>
            <Measures machine={machine} />
            <Projections rows={machine.projections} may={may} done={load.reload} />
            <Processors rows={machine.processors} may={may} done={load.reload} />
          </>
        )}
      </Shown>
    </section>
  );
}
