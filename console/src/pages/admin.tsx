/** Pages of `suuq admin`, one per area: a list, one of its rows, and its commands as forms. */

import { useState } from 'preact/hooks';
import type { ConsoleCommandBody } from '../../../api/console/contract.js';
import { Failed, readConsole } from '../api/client.js';
import { words } from '../ui/format.js';
import { useLoad } from '../ui/load.js';
import { seesOneStore } from '../ui/permission.js';
import { hrefOf, refine, usePlace } from '../ui/router.js';
import { Empty, Failure, Shown } from '../ui/states.js';
import { CommandForm, restWords } from './adminForm.js';
import { type AdminProps, List } from './adminList.js';
import { isNew } from './adminRow.js';

export const areaOf = ({ name }: Pick<ConsoleCommandBody, 'name'>): string => name.split('.')[0]!;

interface AreaProps extends AdminProps {
  readonly all: readonly ConsoleCommandBody[];
}

function Area({ all, area: named, ...props }: AreaProps) {
  const { query } = usePlace();
  const [version, setVersion] = useState(0);
  const areas = [...new Set(all.map(areaOf))];
  const area = named ?? areas[0]!;
  const commands = all.filter((command) => areaOf(command) === area);
  const list = commands.find(({ changes }) => !changes);
  const fresh = commands.filter(isNew);
  // Where there is nothing to list, the one thing to do is there at once.
  const only = list === undefined && fresh.length === 1 ? fresh[0] : undefined;
  const open = query.has('row') ? undefined : (fresh.find(({ name }) => name === query.get('do')) ?? only);
  if (commands.length === 0) {
    const { role } = props.session;
    if (role === 'operator') return <Empty title="Page not found" />;
    return (
      <Failure error={new Failed(403, 'permission_denied', `The role ${role} has no access to ${words(area)}.`)} />
    );
  }
  const changed = (): void => setVersion((before) => before + 1);
  const begin = fresh.length > 0 && only === undefined && (
    <span class="actions">
      {fresh.map(({ name, typed }) => (
        <button
          key={name}
          type="button"
          class="button primary"
          aria-expanded={open?.name === name}
          onClick={() => refine({ do: open?.name === name ? undefined : name, row: undefined })}
        >
          {restWords(typed)}
        </button>
      ))}
    </span>
  );
  return (
    <>
      <nav class="tabs" aria-label="Areas">
        {areas.map((one) => (
          <a key={one} href={hrefOf(`/admin/${one}`)} aria-current={one === area ? 'page' : undefined}>
            {words(one.replaceAll('-', ' '))}
          </a>
        ))}
      </nav>
      {open !== undefined && (
        <section class="card" aria-label={open.typed}>
          <CommandForm
            key={open.name}
            command={open}
            initial={Object.fromEntries(
              open.fields.map(({ name }) => [
                name,
                query.get(name) ?? (name === 'workspace' && !open.either ? (props.store?.workspaceId ?? '') : ''),
              ]),
            )}
            stores={props.stores}
            called={undefined}
            done={changed}
          />
        </section>
      )}
      {list === undefined ? (
        begin
      ) : (
        <List {...props} {...{ area, areas, list, commands, version, changed, begin }} key={area} />
      )}
    </>
  );
}

export function Admin(props: AdminProps) {
  const load = useLoad('commands', () => readConsole('/commands'));
  const { role } = props.session;
  return (
    <section class="page fill admin">
      <header class="title">
        <h1>Administration</h1>
        <p class="fine">
          {role === 'operator' && (
            <>
              The commands of <code>suuq admin</code>, under the same names.
            </>
          )}
          {role === 'auditor' && 'You have read-only access. Your reads are recorded.'}
          {seesOneStore(props.session) && 'Settings of your store. Only the operator can change them.'}
        </p>
      </header>
      <Shown load={load} rows={8}>
        {({ commands }) => <Area {...props} all={commands} />}
      </Shown>
    </section>
  );
}
