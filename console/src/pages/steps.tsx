/** Something event by event: a slider, what it was before and after each event, and what the event changed. */
import type { ComponentChildren } from 'preact';
import type { ConsoleDocumentBody, ConsoleDocumentStepsBody } from '../../../api/console/contract.js';
import { Changes, Difference } from '../ui/difference.js';
import { count, typeWords } from '../ui/format.js';
import { WhenExactly } from '../ui/parts.js';
import { hrefOf, refine, usePlace } from '../ui/router.js';
import { momentOf, Slider } from '../ui/slider.js';
import { Empty } from '../ui/states.js';

/** Limits of the shown steps. */
function Limits({
  steps: { streams, bounded, differs, seen, more, from, steps },
}: {
  steps: ConsoleDocumentStepsBody;
}) {
  return (
    <>
      {differs && (
        <p class="note">
          The stored document differs from the result of these events: other events change it, or different handlers
          built it.{' '}
          {streams !== undefined && (
            <button type="button" class="button small" onClick={() => refine({ everywhere: 1, at: undefined })}>
              Search the whole log
            </button>
          )}
        </p>
      )}
      {bounded && <p class="note">The first {count(seen)} events were searched. There may be more steps.</p>}
      {(more || from > 0) && (
        <p class="fields">
          Steps {from + 1} to {from + steps.length}
          {from > 0 && (
            <button
              type="button"
              class="button small"
              onClick={() => refine({ from: Math.max(0, from - 100) || undefined, at: undefined })}
            >
              Earlier steps
            </button>
          )}
          {more && (
            <button
              type="button"
              class="button small"
              onClick={() => refine({ from: from + steps.length, at: undefined })}
            >
              Later steps
            </button>
          )}
        </p>
      )}
    </>
  );
}

interface StepsProps {
  readonly of: ConsoleDocumentStepsBody;
  /** Kind of the subject; for a `document` its keys are shown too. */
  readonly what: 'document' | 'product';
  /** UTC when absent. */
  readonly zone?: string;
  /** Content next to the event. */
  readonly children?: ComponentChildren;
}

export function Steps({ of, what, zone, children }: StepsProps) {
  const { query } = usePlace();
  const { steps } = of;
  const shown = (view: ConsoleDocumentBody | undefined): unknown => (what === 'document' ? view : view?.body);
  const at = momentOf(query, steps.length);
  const step = steps[at];
  if (step === undefined)
    return (
      <>
        <Limits steps={of} />
        <Empty title="No matching events">Not among the searched events.</Empty>
      </>
    );
  const { event, error } = step;
  const before = shown(at === 0 ? of.before : steps[at - 1]!.document);
  const document = shown(step.document);
  return (
    <>
      <Slider of={what} steps={steps} at={at} more={of.more || of.bounded} zone={zone} />
      <Limits steps={of} />
      {error !== undefined && (
        <p class="note" role="alert">
          The handler failed at this event, and the document did not change: <code>{error}</code>
        </p>
      )}
      <div class="columns">
        <section class="card main-column">
          <h2>Before and after</h2>
          <Difference before={before} after={document} titles={['Before', 'After']} />
        </section>
        <aside class="side-column" aria-label="The event">
          {children}
          <section class="card">
            <h2>
              <a href={hrefOf(`/events/${event.position}`)}>{typeWords(event.type)}</a>
            </h2>
            <p class="fine">
              <bdi>{event.actor.name}</bdi> · <WhenExactly at={event.at} zone={zone} />
            </p>
            <p class="fine url">
              <a href={hrefOf('/events', { stream: event.stream })}>{event.stream}</a> at {event.revision}
            </p>
            <h3>Changes</h3>
            <Changes before={before} after={document} />
          </section>
        </aside>
      </div>
    </>
  );
}
