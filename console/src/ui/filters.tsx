/** What a list that grows is narrowed by: each filter is a word of the page's address. */
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { asTime } from './format.js';
import { hrefOf, refine, usePlace } from './router.js';

export type Wanted = Readonly<Record<string, string>>;

/** Those of `fields` that the address has. */
export const wantedOf = (fields: readonly string[], query: URLSearchParams): Wanted =>
  Object.fromEntries(fields.flatMap((name) => (query.get(name) ? [[name, query.get(name)!]] : [])));

/** As the service is asked: times with their offset. */
export const asked = (wanted: Wanted) => ({ ...wanted, from: asTime(wanted.from), to: asTime(wanted.to) });

/** For an input or a choice; `ends` is another filter that means nothing beside a new value. */
export const fieldOf = (wanted: Wanted, name: string, ends?: string) => ({
  name,
  value: name === 'from' || name === 'to' ? (wanted[name] ?? '').slice(0, 16) : (wanted[name] ?? ''),
  onChange: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
    refine({ [name]: currentTarget.value.trim(), ...(ends !== undefined && { [ends]: undefined }) }),
});

interface StoreAndTimeProps {
  readonly wanted: Wanted;
  readonly session: ConsoleSessionBody;
  readonly stores: readonly ConsoleStoreBody[];
  /** Of the page without any filter. */
  readonly page: string;
}

/** The filters that all such lists have, and the way back to the whole. */
export function StoreAndTime({ wanted, session, stores, page }: StoreAndTimeProps) {
  return (
    <>
      {session.role !== 'store' && (
        <label>
          Store{' '}
          <select {...fieldOf(wanted, 'workspace')}>
            <option value="">all</option>
            {stores.map(({ workspaceId, name }) => (
              <option key={workspaceId} value={workspaceId}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        From (UTC) <input {...fieldOf(wanted, 'from')} type="datetime-local" />
      </label>
      <label>
        Before (UTC) <input {...fieldOf(wanted, 'to')} type="datetime-local" />
      </label>
      {Object.keys(wanted).length > 0 && (
        <a class="button small" href={hrefOf(page)}>
          Show all
        </a>
      )}
    </>
  );
}

/** What a list that is here as a whole, or that the service looks through, is searched for. */
export const Search = () => (
  <label>
    Search{' '}
    <input
      name="search"
      type="search"
      value={usePlace().query.get('search') ?? ''}
      onInput={({ currentTarget }) => refine({ search: currentTarget.value })}
    />
  </label>
);
