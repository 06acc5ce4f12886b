/** One event with all of it, and its ways: stream, causes, effects. */
import type { ConsoleStoreBody, ConsoleWholeEventBody } from '../../../api/console/contract.js';
import { readConsole } from '../api/client.js';
import { count, typeWords } from '../ui/format.js';
import { Json } from '../ui/json.js';
import { useLoad } from '../ui/load.js';
import { WhenExactly } from '../ui/parts.js';
import { hrefOf } from '../ui/router.js';
import { Shown } from '../ui/states.js';
import { Ways } from './effects.js';

/** As the explorer looks for who did it. */
const actorOf = ({ actor: { type, id } }: ConsoleWholeEventBody): string => (id === undefined ? type : `${type}:${id}`);

export function EventPage({ position, stores }: { position: string; stores: readonly ConsoleStoreBody[] }) {
  const load = useLoad(`event ${position}`, () => readConsole('/events/{position}', { position }));
  return (
    <section class="page">
      <Shown load={load} top>
        {(event) => {
          const store = stores.find(({ workspaceId }) => workspaceId === event.workspaceId);
          const zone = store?.timezone;
          const isOrder = event.stream.startsWith('order-');
          return (
            <>
              <header class="title">
                <p class="crumbs">
                  <a href={hrefOf('/events')}>Events</a>
                </p>
                <h1>{typeWords(event.type)}</h1>
                <p class="soft">
                  <bdi>{event.actor.name}</bdi> · <WhenExactly at={event.at} zone={zone} />
                </p>
              </header>
              <div class="columns">
                <div class="main-column">
                  <section class="card">
                    <h2>Data</h2>
                    {event.cut && <p class="note">Shown in part, as text: the data has {count(event.bytes)} bytes.</p>}
                    <Json value={event.data} label={`Data of ${event.type}`} />
                  </section>
                  <div class="ways">
                    <Ways event={event} zone={zone} />
                  </div>
                </div>
                <aside class="side-column" aria-label="Position">
                  <section class="card">
                    <h2>Position</h2>
                    <dl class="facts">
                      <div>
                        <dt>Who</dt>
                        <dd>
                          <a href={hrefOf('/events', { actor: actorOf(event) })}>
                            <bdi>{event.actor.name}</bdi>
                          </a>
                        </dd>
                      </div>
                      <div>
                        <dt>Stream</dt>
                        <dd>
                          <a href={hrefOf('/events', { stream: event.stream })}>
                            <code>{event.stream}</code>
                          </a>
                        </dd>
                      </div>
                      <div>
                        <dt>Revision</dt>
                        <dd>{event.revision}</dd>
                      </div>
                      <div>
                        <dt>Position</dt>
                        <dd>{event.position}</dd>
                      </div>
                      <div>
                        <dt>Id</dt>
                        <dd>
                          <code>{event.id}</code>
                        </dd>
                      </div>
                      <div>
                        <dt>Chain of causes</dt>
                        <dd>
                          <a href={hrefOf('/events', { correlation: event.correlationId })}>
                            <code>{event.correlationId}</code>
                          </a>
                        </dd>
                      </div>
                      {store !== undefined && (
                        <div>
                          <dt>Store</dt>
                          <dd>
                            <bdi>{store.name}</bdi>
                          </dd>
                        </div>
                      )}
                    </dl>
                    {isOrder && event.workspaceId !== undefined && (
                      <a
                        class="button"
                        href={hrefOf(`/s/${event.workspaceId}/orders/${event.stream.slice(6)}`, { at: event.revision })}
                      >
                        The order at this time
                      </a>
                    )}
                  </section>
                </aside>
              </div>
            </>
          );
        }}
      </Shown>
    </section>
  );
}
