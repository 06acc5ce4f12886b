/** Parts shared by read models and processors on the System page: a table, and above it the stopped ones. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleChanges, ConsolePoisonBody, ConsoleTroubleBody } from '../../../api/console/contract.js';
import { change, type Failed, give, newKey, readConsole } from '../api/client.js';
import { Outcome, useActing } from '../ui/actions.js';
import { count } from '../ui/format.js';
import { Json } from '../ui/json.js';
import { useLoad } from '../ui/load.js';
import { Waiting, When } from '../ui/parts.js';
import { hrefOf } from '../ui/router.js';
import { Shown } from '../ui/states.js';
import { type Column, Table } from '../ui/table.js';
import type { Lately } from './measures.js';

interface StoppedProps {
  readonly name: string;
  readonly stop: ConsolePoisonBody;
  readonly path: '/projections/{name}/skip' | '/processors/{name}/skip';
  readonly may: boolean;
  done(): void;
}

/** The event itself, who did it and when. */
function Poison({ position }: { position: number }) {
  const load = useLoad(`event ${position}`, () => readConsole('/events/{position}', { position: String(position) }));
  return (
    <Shown load={load} rows={3}>
      {({ type, stream, at, actor, data, bytes, cut }) => (
        <>
          <p class="fine">
            {stream} · <bdi>{actor.name}</bdi> · <When at={at} />
            {cut && ` · ${count(bytes)} bytes, shown in part`}
          </p>
          <Json value={data} label={`Data of ${type}`} />
        </>
      )}
    </Shown>
  );
}

/**
 * Retries a stopped item. A read model is rebuilt, since the rebuild passes the event again; a processor continues in
 * place.
 */
function Again({ name, path, done }: Pick<StoppedProps, 'name' | 'path' | 'done'>) {
  const acting = useActing(done);
  const isModel = path === '/projections/{name}/skip';
  const begin = (): void =>
    isModel
      ? acting.run(() => change('/projections/{name}/rebuild', { name }, {}), 'Rebuild started.')
      : acting.run(
          () => give('/processors/{name}/retry', { name }, {}, newKey()),
          'The event and the waiting tasks are retried within a second.',
        );
  const text = isModel ? 'Try again, from the beginning' : 'Try again';
  return (
    <>
      <button type="button" class="button small" aria-label={`${text}: ${name}`} disabled={acting.busy} onClick={begin}>
        {text}
      </button>
      <Outcome acting={acting} />
    </>
  );
}

/** The event at which it stopped, and a form to skip it. The reason is stored in the log. */
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
        <strong>{name}</strong> stopped at{' '}
        {stop.type === undefined ? (
          'a position in the log'
        ) : (
          <a href={hrefOf(`/events/${stop.position}`)}>{stop.type}</a>
        )}
        : <code>{stop.error}</code>
      </p>
      {stop.type !== undefined && (
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>The event</summary>
          {open && <Poison position={stop.position} />}
        </details>
      )}
      {may && (
        <p class="actions">
          <span class="fine">Fixed the cause?</span> <Again name={name} path={path} done={done} />
        </p>
      )}
      {may && stop.eventId !== undefined && (
        <form onSubmit={skip}>
          <label>
            Reason to skip it <input name="reason" required maxLength={500} />
          </label>
          <button type="submit" class="button danger">
            Skip the event
          </button>
          {error !== undefined && <p role="alert">{error}</p>}
        </form>
      )}
    </div>
  );
}

export interface RowsProps<T> {
  readonly rows: readonly T[];
  readonly lately: Lately;
  readonly may: boolean;
  done(): void;
}

interface PartProps extends Pick<RowsProps<unknown>, 'may' | 'done'>, Pick<StoppedProps, 'path'> {
  readonly rows: readonly { readonly name: string; readonly trouble?: ConsoleTroubleBody }[];
  readonly title: string;
  readonly about: string;
  /** Items that are stopped. */
  readonly stops: readonly (readonly [name: string, stop: ConsolePoisonBody | undefined])[];
  readonly columns: readonly Column[];
  readonly children: ComponentChildren;
}

export function Part({ title, about, rows, stops, path, may, done, columns, children }: PartProps) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <p class="fine">{about}</p>
      {stops.map(([name, stop]) => stop && <Stopped key={name} {...{ name, stop, path, may, done }} />)}
      <Waiting all={rows.flatMap(({ name, trouble }) => (trouble ? [{ name, ...trouble }] : []))} />
      <Table label={title} columns={columns}>
        {children}
      </Table>
    </section>
  );
}
