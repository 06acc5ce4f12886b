/** A choice among stores. Its last option loads more of them where there are more. */
import type { ComponentChildren } from 'preact';
import type { PageContext } from './pageContext.js';

const MORE = 'more';

interface StoreSelectProps extends Pick<PageContext, 'stores' | 'moreStores'> {
  readonly value: string;
  readonly id: string;
  readonly name?: string;
  /** Options before the stores. */
  readonly children?: ComponentChildren;
  choose(workspaceId: string): void;
}

export function StoreSelect({ stores, moreStores, id, value, name, children, choose }: StoreSelectProps) {
  const chosen = ({ currentTarget }: { currentTarget: HTMLSelectElement }): void => {
    const { value: requested } = currentTarget;
    if (requested !== MORE) choose(requested);
    else {
      currentTarget.value = value;
      moreStores?.();
    }
  };
  return (
    <select id={id} name={name} value={value} onChange={chosen}>
      {children}
      {stores.map((store) => (
        <option key={store.workspaceId} value={store.workspaceId}>
          {store.name}
        </option>
      ))}
      {moreStores && <option value={MORE}>Load more stores…</option>}
    </select>
  );
}
