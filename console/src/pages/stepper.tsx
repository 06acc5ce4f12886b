/** A document of a read model, event by event: before and after each of them, with what differs marked. */
import { readConsole } from '../api/client.js';
import { useLoad } from '../ui/load.js';
import { hrefOf, refine, usePlace } from '../ui/router.js';
import { Empty, Shown } from '../ui/states.js';
import { Steps } from './steps.js';

const documentHref = (name: string, document: string): string => hrefOf(`/machine/${name}`, { document });

/** Selects a document by its id. */
function Choose({ chosen }: { chosen: string | undefined }) {
  const choose = (event: SubmitEvent): void => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget as HTMLFormElement).get('document') ?? '').trim();
    refine({ document: id, at: undefined, from: undefined, everywhere: undefined }, { replace: false });
  };
  return (
    <form class="fields card" onSubmit={choose} key={chosen}>
      <label class="grow">
        Document <input name="document" required maxLength={300} defaultValue={chosen ?? ''} />
      </label>
      <button type="submit" class="button">
        Step through
      </button>
    </form>
  );
}

/** For who knows no id. */
function Some({ name }: { name: string }) {
  const load = useLoad(`documents ${name}`, () => readConsole('/projections/{name}/documents', { name }));
  return (
    <Shown load={load} rows={3}>
      {({ ids }) =>
        ids.length === 0 ? (
          <Empty title="No document yet">No event has created a document yet.</Empty>
        ) : (
          <section class="card">
            <h2>Some of the existing documents</h2>
            <ul class="ids">
              {ids.map((id) => (
                <li key={id}>
                  <a href={documentHref(name, id)}>{id}</a>
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </Shown>
  );
}

function Document({ name, id }: { name: string; id: string }) {
  const { query } = usePlace();
  const requested = {
    document: id,
    from: query.get('from') ?? undefined,
    everywhere: query.get('everywhere') ?? undefined,
  };
  const load = useLoad(`steps ${name} ${JSON.stringify(requested)}`, () =>
    readConsole('/projections/{name}/steps', { name }, requested),
  );
  return (
    <Shown load={load} rows={8}>
      {(steps) => <Steps of={steps} what="document" />}
    </Shown>
  );
}

export function Stepper({ name }: { name: string }) {
  const { query } = usePlace();
  const chosen = query.get('document') ?? undefined;
  return (
    <section class="page order-page">
      <header class="title">
        <p class="crumbs">
          <a href={hrefOf('/machine')}>System</a>
        </p>
        <h1>{name}</h1>
        <p class="fine">Rebuilt from the log with the current handlers. Times in UTC.</p>
      </header>
      <Choose chosen={chosen} />
      {chosen === undefined ? <Some name={name} /> : <Document name={name} id={chosen} />}
    </section>
  );
}
