/** Processors on the System page: owner, throughput, backlog, and pending tasks, which an operator can retry. */
import { Fragment } from 'preact';
import type { ConsoleProcessorBody, ConsoleTaskBody } from '../../../api/console/contract.js';
import { give, newKey, readConsole } from '../api/client.js';
import { Outcome, useActing } from '../ui/actions.js';
import { count, fieldTime } from '../ui/format.js';
import { useEvery, useLoad } from '../ui/load.js';
import { Chip, Own, When } from '../ui/parts.js';
import { usePlace } from '../ui/router.js';
import { Shown } from '../ui/states.js';
import { type Column, Table } from '../ui/table.js';
import { Part, type RowsProps } from './machineParts.js';
import { behind, Lines, ofOne, PlotsOf, rateOf } from './measures.js';

const EVERY_MS = 2000;

const COLUMNS: readonly Column[] = [
  { name: 'Name' },
  { name: 'State' },
  { name: 'Lag', num: true },
  { name: 'Pending', num: true },
  { name: 'Effects/s', num: true },
  { name: 'Recent' },
  { name: 'Skipped', num: true },
  { name: 'Owner' },
];

const TASK_COLUMNS: readonly Column[] = [
  { name: 'Task' },
  { name: 'Kind' },
  { name: 'Next attempt', num: true },
  { name: 'Due' },
  { name: 'Created' },
];

interface TaskProps {
  readonly task: ConsoleTaskBody;
  readonly may: boolean;
  readonly busy: boolean;
  retry(): void;
}

const Task = ({ task: { id, kind, attempt, failures, dueAt, createdAt }, may, busy, retry }: TaskProps) => (
  <tr>
    <th scope="row">
      <code class="wrap">
        <Own text={id} />
      </code>
    </th>
    <td>{kind}</td>
    <td class="num">
      {attempt}
      {failures > 0 && <small class="fine">failed {count(failures)} in a row</small>}
    </td>
    <td>
      <When at={dueAt} />
    </td>
    <td>
      <When at={createdAt} />
    </td>
    {may && (
      <td class="num">
        {Date.parse(dueAt) > Date.now() && (
          <button type="button" class="button small" aria-label={`Try now: ${id}`} disabled={busy} onClick={retry}>
            Try now
          </button>
        )}
      </td>
    )}
  </tr>
);

/** Pending tasks of a processor by due time, timers included. */
function Tasks({ name, may, done }: { name: string; may: boolean; done: () => void }) {
  const load = useLoad(`tasks ${name}`, () => readConsole('/processors/{name}/tasks', { name }));
  // An auditor's looks are recorded: not one every two seconds.
  useEvery(EVERY_MS, () => may && !load.loading && load.reload());
  const acting = useActing(() => {
    load.reload();
    done();
  });
  const retry = (which: { task?: string; since?: string }, text: string): void =>
    acting.run(() => give('/processors/{name}/retry', { name }, which, newKey()), text);
  const all = (event: SubmitEvent): void => {
    event.preventDefault();
    const since = fieldTime(String(new FormData(event.currentTarget as HTMLFormElement).get('since') ?? ''));
    retry(since === undefined ? {} : { since }, 'The waiting tasks are due now.');
  };
  return (
    <Shown load={load} rows={3}>
      {({ tasks }) => (
        <>
          {may && (
            <form class="fields" onSubmit={all}>
              <label>
                Created since (empty: all) <input name="since" type="datetime-local" />
              </label>
              <button type="submit" class="button small" disabled={acting.busy}>
                Retry all waiting tasks
              </button>
            </form>
          )}
          <Outcome acting={acting} />
          {tasks.length === 0 ? (
            <p class="soft">No pending tasks.</p>
          ) : (
            <Table
              label={`Tasks of ${name}`}
              columns={may ? [...TASK_COLUMNS, { name: 'Try now', unseen: true }] : TASK_COLUMNS}
              long
            >
              {tasks.map((task) => (
                <Task
                  key={task.id}
                  {...{ task, may, busy: acting.busy }}
                  retry={() => retry({ task: task.id }, `${task.id} is due now.`)}
                />
              ))}
            </Table>
          )}
        </>
      )}
    </Shown>
  );
}

interface ProcessorProps extends Pick<RowsProps<never>, 'lately'> {
  readonly one: ConsoleProcessorBody;
  readonly open: boolean;
}

const Processor = ({ one, lately, open }: ProcessorProps) => (
  <tr>
    <th scope="row">{one.name}</th>
    <td>
      <Chip value={one.state} />
    </td>
    <td class="num">{behind(one.lag, one.unit)}</td>
    <td class="num">{count(one.owed)}</td>
    <td class="num">{one.effectsPerSecond === undefined ? '–' : rateOf(one.effectsPerSecond)}</td>
    <td>
      <Lines
        kind="processor"
        name={one.name}
        measured={ofOne(lately, 'processor', one.name)}
        unit={one.unit}
        open={open}
      />
    </td>
    <td class="num">{count(one.skipped)}</td>
    <td>{one.owner ?? (one.effectsPerSecond === undefined ? 'nobody' : 'this instance')}</td>
  </tr>
);

export function Processors({ rows, lately, may, done }: RowsProps<ConsoleProcessorBody>) {
  const chosen = usePlace().query.get('processor');
  return (
    <Part
      title="Processors"
      about="They turn events into webhooks, messages and catalog pushes, at least once each. Pending tasks are below the plots."
      rows={rows}
      stops={rows.map(({ name, stop }) => [name, stop])}
      path="/processors/{name}/skip"
      columns={COLUMNS}
      {...{ may, done }}
    >
      {rows.map((one) => (
        <Fragment key={one.name}>
          <Processor one={one} lately={lately} open={chosen === one.name} />
          {chosen === one.name && (
            <tr class="opened">
              <td colSpan={COLUMNS.length}>
                <PlotsOf
                  kind="processor"
                  name={one.name}
                  measured={ofOne(lately, 'processor', one.name)}
                  unit={one.unit}
                />
                <Tasks name={one.name} may={may} done={done} />
              </td>
            </tr>
          )}
        </Fragment>
      ))}
    </Part>
  );
}
