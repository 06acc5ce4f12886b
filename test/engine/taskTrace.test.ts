/** The trace of a task: stored and read again, used for a retry, and passed on to follow-up tasks. */
import { expect } from 'chai';
import type { Span, SpanPlan, TracePlace, Tracing } from '../../engine/ports/tracing.js';
import { defineProcessor } from '../../engine/processors/processor.js';
import { followUpTasks, newTask, taskDocument, taskOf } from '../../engine/processors/tasks/taskDocuments.js';
import { inTrace } from '../../engine/processors/tasks/taskTrace.js';
import { until } from '../support/doubles/fakeClock.js';
import { type ProcessorStage, processorStage } from '../support/stages/processorStage.js';

const place = (span: string): TracePlace => ({ traceparent: `00-${'ab'.repeat(16)}-${span.padStart(16, '0')}-01` });
const CAUSE = place('c');

/** Records the spans. */
function recorded(): { readonly tracing: Tracing; readonly plans: SpanPlan[]; readonly ends: string[] } {
  const plans: SpanPlan[] = [];
  const ends: string[] = [];
  const tracing: Tracing = {
    during(plan, work) {
      const at = place(String(plans.push(plan)));
      const span: Span = {
        place: at,
        note: ({ 'suuq.task.result': result }) => void (result && ends.push(String(result))),
        failed: (type) => void ends.push(type),
        refused: () => undefined,
      };
      return work(span);
    },
    current: () => undefined,
    placeIn: () => undefined,
  };
  return { tracing, plans, ends };
}

const task = { id: 'task-1', kind: 'do', lane: 'one', payload: {} };

describe('the trace of a task', () => {
  it('is stored with it, and read back', () => {
    const pending = newTask(task, 1000, 1000, { trace: { ...CAUSE, tracestate: 'vendor=one' } });
    const { id, keys, revision, body } = taskDocument(pending);
    const stored = { id, keys, revision, body: JSON.parse(JSON.stringify(body)) } as Parameters<typeof taskOf>[0];
    expect(taskOf(stored)).to.deep.equal(pending);
    expect(taskDocument(newTask(task, 1000)).body).not.to.have.property('trace');
  });

  it('stays when it is performed again, and its follow-up tasks continue from the run', () => {
    const pending = newTask(task, 1000, 1000, { trace: CAUSE });
    const outcome = { again: { at: 2000 }, next: [{ ...task, id: 'task-2' }] };
    const [next, again] = followUpTasks({ task: pending, outcome, failures: 0, trace: place('f') }, 1500);
    expect([next!.trace, again!.trace]).to.deep.equal([place('f'), CAUSE]);
    expect(followUpTasks({ task: pending, outcome, failures: 0 }, 1500)[0]!.trace).to.deep.equal(CAUSE);
  });

  it('starts with the task if nothing caused it, and records its outcome', async () => {
    const { tracing, plans, ends } = recorded();
    const timer = newTask(task, 1000);
    await inTrace(tracing, 'mails', timer, async () => ({ outcome: { again: { at: 1 } }, failures: 1 }));
    await inTrace(tracing, 'mails', timer, async () => ({ outcome: { done: true }, failures: 0 }));
    expect(await inTrace(tracing, 'mails', timer, async () => undefined)).to.equal(undefined);
    expect(plans.map(({ parent }) => parent)).to.deep.equal(['none', 'none', 'none']);
    expect(ends).to.deep.equal(['task_failed', 'again', 'done']);
  });
});

describe('a traced processor', () => {
  let stage: ProcessorStage;
  beforeEach(async () => {
    stage = await processorStage();
  });
  afterEach(() => stage.close());

  it('records the tasks of an event, and their follow-up tasks, below the command', async () => {
    type Noted = { type: 'Noted'; data: object };
    const { tracing, plans } = recorded();
    const performed: string[] = [];
    const processor = defineProcessor<Noted>({
      name: 'traced',
      categories: ['note'],
      on: { Noted: ({ id }) => [{ id, kind: 'first', lane: 'one', payload: {} }] },
      perform: {
        async first({ id }) {
          performed.push('first');
          return { done: true, next: [{ id: `${id}.next`, kind: 'second', lane: 'one', payload: {} }] };
        },
        async second() {
          performed.push('second');
          return { done: true };
        },
      },
    });
    await stage.start(processor, undefined, tracing);
    await stage.append('note-1', [{ type: 'Noted', data: {} }], CAUSE);
    await until('both are performed', async () => {
      await stage.clock.advance(10);
      return performed.length === 2;
    });
    expect(plans.map(({ name, parent }) => [name, parent])).to.deep.equal([
      ['process traced first', CAUSE],
      ['process traced second', place('1')],
    ]);
  });
});
