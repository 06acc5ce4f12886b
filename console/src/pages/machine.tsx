/** The machine room: read models and processors, how far they are, and what an operator does about it. */
import { useState } from 'preact/hooks';
import type {
  ConsoleChanges,
  ConsolePoisonBody,
  ConsoleProcessorBody,
  ConsoleProjectionBody,
  ConsoleSessionBody,
} from '../../../api/console/contract.js';
import { change, type Failed, look } from '../api/client.js';
import { count, span } from '../ui/format.js';
import { useEvery, useLoad } from '../ui/load.js';
import { Chip } from '../ui/parts.js';
import { hrefOf } from '../ui/router.js';
import { Shown } from '../ui/states.js';

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

/** Where it stands, and the way past it, with the reason that is kept in the log. */
function Stopped({ name, stop, path, may, done }: StoppedProps) {
  const [error, setError] = useState<string>();
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
  const [asking, setAsking] = useState(false);
  const [error, setError] = useState<string>();
  if (busy) return <span class="fine">building anew…</span>;
  if (!asking)
    return (
      <button type="button" class="button small" onClick={() => setAsking(true)} aria-label={`Rebuild ${name}`}>
        Rebuild
      </button>
    );
  const begin = (): void => {
    setAsking(false);
    change('/projections/{name}/rebuild', { name }, {}).then(done, (failed: Failed) => setError(failed.message));
  };
  return (
    <span class="sure">
      <button type="button" class="button small danger" onClick={begin}>
        Yes, rebuild
      </button>
      <button type="button" class="button small" onClick={() => setAsking(false)}>
        No
      </button>
      {error}
    </span>
  );
}

interface TableProps<T> {
  readonly rows: readonly T[];
  readonly may: boolean;
  done(): void;
}

function Projections({ rows, may, done }: TableProps<ConsoleProjectionBody>) {
  return (
    <section class="card">
      <h2>Read models</h2>
      <p class="fine">
        A rebuild fills a new one beside the one that answers, and takes its place when it has caught up: nobody sees a
        gap.
      </p>
      {rows.map(({ name, poison }) =>
        poison === undefined ? null : (
          <Stopped key={name} name={name} stop={poison} path="/projections/{name}/skip" may={may} done={done} />
        ),
      )}
      <div class="scroll" tabIndex={0} role="region" aria-label="Read models">
        <table class="wide">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">State</th>
              <th scope="col">How far</th>
              <th scope="col" class="num">
                Behind
              </th>
              <th scope="col" class="num">
                Events/s
              </th>
              <th scope="col">Owner</th>
              {may && (
                <th scope="col">
                  <span class="unseen">Rebuild</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <tr key={one.name}>
                <th scope="row">
                  {one.name} <small class="fine">v{one.version}</small>
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
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Processors({ rows, may, done }: TableProps<ConsoleProcessorBody>) {
  return (
    <section class="card">
      <h2>Processors</h2>
      <p class="fine">They turn events into webhooks, messages and pushes, at least once each.</p>
      {rows.map(({ name, stop }) =>
        stop === undefined ? null : (
          <Stopped key={name} name={name} stop={stop} path="/processors/{name}/skip" may={may} done={done} />
        ),
      )}
      <div class="scroll" tabIndex={0} role="region" aria-label="Processors">
        <table class="wide">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">State</th>
              <th scope="col" class="num">
                Behind
              </th>
              <th scope="col" class="num">
                Owed
              </th>
              <th scope="col" class="num">
                Passed over
              </th>
            </tr>
          </thead>
          <tbody>
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
          </tbody>
        </table>
      </div>
    </section>
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
        {({ projections, processors }) => (
          <>
            <Projections rows={projections} may={may} done={load.reload} />
            <Processors rows={processors} may={may} done={load.reload} />
          </>
        )}
      </Shown>
    </section>
  );
}
