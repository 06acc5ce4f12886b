/** The phone, loaded when somebody first wants it: the console's first view has nothing of it. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ConsoleStoreBody } from '../../../api/console/contract.js';
import { Failed } from '../api/client.js';
import { Failure, Loading } from '../ui/states.js';

type Page = ComponentType<{ store: ConsoleStoreBody }>;
let loaded: Page | undefined;

export function Phone({ store }: { store: ConsoleStoreBody }) {
  const [Shown, setShown] = useState<Page | undefined>(() => loaded);
  const [failed, setFailed] = useState(false);
  const load = (): void => {
    setFailed(false);
    import('../phone/phonePage.js').then(
      ({ default: page }) => {
        loaded = page;
        setShown(() => page);
      },
      () => setFailed(true),
    );
  };
  useEffect(() => {
    if (loaded === undefined) load();
  }, []);
  if (Shown !== undefined) return <Shown store={store} />;
  return (
    <section class="page">
      <h1 class="unseen">Phone</h1>
      {failed ? (
        <Failure error={new Failed(0, 'unreachable', 'The page could not be loaded.')} retry={load} />
      ) : (
        <Loading rows={8} />
      )}
    </section>
  );
}
