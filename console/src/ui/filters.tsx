/** Filters of a growing list, each a parameter of the page's address. */

import type { ConsoleSessionBody } from '../../../api/console/contract.js';
import { asTime, fieldTime, fieldValue } from './format.js';
import type { PageContext } from './pageContext.js';
import { seesOneStore } from './permission.js';
import { hrefOf, refine, usePlace } from './router.js';
import { StoreSelect } from './storeSelect.js';

export type FilterValues = Readonly<Record<string, string>>;

/** Those of `fields` that the address has. */
export const filtersOf = (fields: readonly string[], query: URLSearchParams): FilterValues =>
  Object.fromEntries(fields.flatMap((name) => (query.get(name) ? [[name, query.get(name)!]] : [])));

/** Converts filters to a query: times with their offset. */
export const queryOf = (requested: FilterValues) => ({
  ...requested,
  from: asTime(requested.from),
  to: asTime(requested.to),
});

/** Props of an input or a choice. `ends` is another filter that is removed with a new value. */
export const fieldOf = (requested: FilterValues, name: string, ends?: string) => ({
  name,
  value: requested[name] ?? '',
  onChange: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
    refine({ [name]: currentTarget.value.trim(), ...(ends !== undefined && { [ends]: undefined }) }),
});

/** For a time in the zone; the address holds the instant, which is the same in every zone. */
const timeOf = (requested: FilterValues, name: 'from' | 'to', zone: string) => ({
  name,
  type: 'datetime-local' as const,
  value: fieldValue(requested[name] ?? '', zone).slice(0, 16),
  onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
    refine({ [name]: fieldTime(currentTarget.value, zone) }),
});

interface StoreAndTimeProps extends Pick<PageContext, 'stores' | 'moreStores'> {
  readonly filters: FilterValues;
  readonly session: ConsoleSessionBody;
  /** Address of the page without filters. */
  readonly page: string;
  /** In which times are shown. */
  readonly zone: string | undefined;
}

/** The filters that all such lists have, and the way back to the whole. */
export function StoreAndTime({ filters, session, stores, moreStores, page, zone = 'UTC' }: StoreAndTimeProps) {
  return (
    <>
      {!seesOneStore(session) && (
        <label for="filter-store">
          Store{' '}
          <StoreSelect
            {...{ stores, moreStores }}
            id="filter-store"
            name="workspace"
            value={filters.workspace ?? ''}
            choose={(workspace) => refine({ workspace })}
          >
            <option value="">all</option>
          </StoreSelect>
        </label>
      )}
      <label>
        From <input {...timeOf(filters, 'from', zone)} title={`Time of ${zone}`} />
      </label>
      <label>
        Before <input {...timeOf(filters, 'to', zone)} title={`Time of ${zone}`} />
      </label>
      {Object.keys(filters).length > 0 && (
        <a class="button small" href={hrefOf(page)}>
          Show all
        </a>
      )}
    </>
  );
}

/** Search field of a list that is loaded whole, or that the service searches. */
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
