/** `suuq processors tasks` and `retry` without running processors: pending tasks, and tasks that are made due. */
import { expect } from 'chai';
import { tasksCollection, tasksDefinition } from '../../engine/processors/tasks/taskDocuments.js';
import { type AccessStage, openAccessStage } from '../support/stages/accessStage.js';

const HOUR_MS = 3_600_000;
const NAME = 'webhooks';

describe('an operator who retries tasks of a processor', function () {
  this.timeout(90_000);
  let stage: AccessStage;
  const began = Date.now();
  before(async () => {
    stage = await openAccessStage();
    const { work } = stage.instance.services;
    await work.open(tasksDefinition(NAME));
    const task = (id: string, attempt: number, inMs: number, createdAt = began) => ({
      ...{ id, revision: attempt, keys: { lane: 'a', dueAt: began + inMs } },
      body: { kind: 'deliver', payload: { secret: 'not shown' }, createdAt },
    });
    const put = [
      task('timer', 1, HOUR_MS),
      task('old', 3, 2 * HOUR_MS, began - HOUR_MS),
      task('new', 2, 3 * HOUR_MS),
      task('later', 2, 4 * HOUR_MS),
    ];
    await work.write({ [tasksCollection(NAME)]: { put } });
  });
  after(() => stage?.close());

  const request = (command: string, input: object) => stage.operator(command, { name: NAME, ...input });
  const refusal = (input: object): Promise<string> =>
    request('processors.retry', input).then(
      () => 'done',
      (error: { code: string }) => error.code,
    );
  const due = async (): Promise<readonly string[]> => {
    const { tasks } = (await request('processors.tasks', {})) as { tasks: { id: string; dueAt: string }[] };
    return tasks.filter(({ dueAt }) => Date.parse(dueAt) <= Date.now()).map(({ id }) => id);
  };
  const notify = async () => (await stage.instance.services.eventStore.readStream(`processor-${NAME}`)).at(-1);

  it('sees pending tasks by time, without their payload', async () => {
    const { tasks } = (await request('processors.tasks', {})) as { tasks: Record<string, unknown>[] };
    expect(tasks.map(({ id }) => id)).to.deep.equal(['timer', 'old', 'new', 'later']);
    expect(tasks[1]).to.deep.equal({
      ...{ id: 'old', kind: 'deliver', lane: 'a', attempt: 3, failures: 0 },
      dueAt: new Date(began + 2 * HOUR_MS).toISOString(),
      createdAt: new Date(began - HOUR_MS).toISOString(),
    });
    expect(JSON.stringify(await request('processors.status', {})))
      .to.contain('"owed":4')
      .and.not.contain('effectsPerSecond');
  });

  it('retries one task, those since a given time, or all failed ones; each is logged', async () => {
    expect(await request('processors.retry', { task: 'new' })).to.deep.equal({ name: NAME, tasks: 1 });
    expect(await due()).to.deep.equal(['new']);
    const event = await notify();
    expect(event).to.deep.include({ type: 'ProcessorRetried' });
    expect(event!.data).to.deep.include({ name: NAME, tasks: 1, task: 'new' });
    expect(event!.meta.actor).to.deep.equal({ type: 'system', id: 'operator' });
    const since = new Date(began).toISOString();
    expect(await request('processors.retry', { since })).to.deep.equal({ name: NAME, tasks: 1 });
    expect(await due()).to.have.members(['new', 'later']);
    expect((await notify())!.data).to.deep.include({ since });
    expect(await request('processors.retry', {})).to.deep.equal({ name: NAME, tasks: 1 });
    expect(await due()).to.have.members(['new', 'later', 'old']);
    expect(await request('processors.retry', { task: 'timer' })).to.deep.equal({ name: NAME, tasks: 1 });
  });

  it('gets an error if nothing waits, and for an unknown processor or selection', async () => {
    const before = await notify();
    expect(await refusal({})).to.equal('not_waiting');
    expect(await refusal({ task: 'old' })).to.equal('not_waiting');
    expect(await refusal({ task: 'none' })).to.equal('not_waiting');
    expect(await refusal({ name: 'none' })).to.equal('not_found');
    expect(await refusal({ task: 'old', since: new Date(began).toISOString() })).to.equal('validation_failed');
    expect((await notify())!.id, 'nothing is written').to.equal(before!.id);
  });
});
