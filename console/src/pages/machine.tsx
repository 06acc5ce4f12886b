/** System page: read models and processors with their lag, and the operator's actions on them. */
import { Fragment } from 'preact';
import type { ConsoleProjectionBody, ConsoleSessionBody } from '../../../api/console/contract.js';
import { change, readConsole } from '../api/client.js';
import { Sure, useActing } from '../ui/actions.js';
import { span } from '../ui/format.js';
import { useEvery, useLoad } from '../ui/load.js';
import { Chip } from '../ui/parts.js';
import { hrefOf, usePlace } from '../ui/router.js';
import { Shown } from '../ui/states.js';
import type { Column } from '../ui/table.js';
import { Part, type RowsProps } from './machineParts.js';
import { Processors } from './machineProcessors.js';
import { behind, Lines, Measures, ofOne, PlotsOf, rateOf, useLately } from './measures.js';

const EVERY_MS = 2000;

function Progress({ position, head }: { position: number; head: number }) {
  const share = head < 0 ? 1 : Math.min(1, (position + 1) / (head + 1));
  return (
    <span class="progress">
      <progress value={share} max={1} aria-label="Progress" />
      <span class="fine">{Math.floor(share * 100)} %</span>
    </span>
  );
}

function Rebuild({ name, busy, done }: { name: string; busy: boolean; done: () => void }) {
  const acting = useActing(done);
  if (busy) return <span class="fine">rebuilding…</span>;
  const begin = (): void => acting.run(() => change('/projections/{name}/rebuild', { name }, {}), 'started');
  return (
    <>
      <Sure label={`Rebuild ${name}`} yes="Yes, rebuild" disabled={acting.busy} onYes={begin}>
        Rebuild
      </Sure>
      {acting.error?.message}
    </>
  );
}

const PROJECTION_COLUMNS: readonly Column[] = [
  { name: 'Name' },
  { name: 'State' },
  { name: 'Progress' },
  { name: 'Lag', num: true },
  { name: 'Events/s', num: true },
  { name: 'Recent' },
  { name: 'Owner' },
];

function Projections({ rows, lately, may, done }: RowsProps<ConsoleProjectionBody>) {
  const chosen = usePlace().query.get('model');
  const columns = may ? [...PROJECTION_COLUMNS, { name: 'Rebuild', unseen: true } as const] : PROJECTION_COLUMNS;
  return (
    <Part
      title="Read models"
      about="A rebuild fills a new read model while the current one answers, and replaces it when it has caught up."
      rows={rows}
      stops={rows.map(({ name, poison }) => [name, poison])}
      path="/projections/{name}/skip"
      {...{ columns, may, done }}
    >
      {rows.map((one) => (
        <Fragment key={one.name}>
          <Projection one={one} lately={lately} may={may} done={done} open={chosen === one.name} />
          {chosen === one.name && (
            <tr class="opened">
              <td colSpan={columns.length}>
                <PlotsOf kind="model" name={one.name} measured={ofOne(lately, 'model', one.name)} unit={one.unit} />
              </td>
            </tr>
          )}
        </Fragment>
      ))}
    </Part>
  );
}

interface ProjectionProps extends Omit<RowsProps<never>, 'rows'> {
  readonly one: ConsoleProjectionBody;
  readonly open: boolean;
}

const Projection = ({ one, lately, may, done, open }: ProjectionProps) => (
  <tr>
    <th scope="row">
      <a href={hrefOf(`/machine/${one.name}`)}>{one.name}</a> <small class="fine">v{one.version}</small>
    </th>
    <td>
      <Chip value={one.state} />
      {one.differing !== undefined && <small class="fine">{one.differing} documents differ from the log</small>}
      {one.handlersChanged && <small class="fine">handlers changed without a new version</small>}
    </td>
    <td>
      <Progress position={one.position} head={one.head} />
    </td>
    <td class="num">
      {behind(one.lag, one.unit)}
      {one.etaMs !== undefined && <small class="fine">{span(one.etaMs)}</small>}
    </td>
    <td class="num">{rateOf(one.eventsPerSecond)}</td>
    <td>
      <Lines kind="model" name={one.name} measured={ofOne(lately, 'model', one.name)} unit={one.unit} open={open} />
    </td>
    <td>{one.owner ?? (one.state === 'elsewhere' ? 'nobody' : 'this instance')}</td>
    {may && (
      <td class="num">
        <Rebuild name={one.name} busy={one.state === 'rebuilding'} done={done} />
      </td>
    )}
  </tr>
);

export function Machine({ session }: { session: ConsoleSessionBody }) {
  const load = useLoad('machine', () => readConsole('/machine'));
  const may = session.role === 'operator';
  const lately = useLately(load.data);
  // An auditor's looks are recorded: not one every two seconds.
  useEvery(EVERY_MS, () => may && !load.loading && load.reload());
  return (
    <section class="page">
      <header class="title">
        <h1>System</h1>
        {load.error !== undefined && load.data !== undefined && (
          <p class="fine" role="alert">
            {load.error.message}
          </p>
        )}
      </header>
      <Shown load={load} rows={12}>
        {(machine) => (
          <>
            <Measures machine={machine} lately={lately} />
            <Projections rows={machine.projections} lately={lately} may={may} done={load.reload} />
            <Processors rows={machine.processors} lately={lately} may={may} done={load.reload} />
          </>
        )}
      </Shown>
    </section>
  );
}
