/**
 * Tracks when query results may last have changed, by tenant, so that a response can be reused while nothing in it has
 * changed. The projections report each write, in the process that runs them all.
 */
import type { Incoming, Page } from './page.js';

/** Possible changes of query results after a write. */
export interface Changed {
  /** Everything in these projections. */
  readonly projections?: readonly string[];
  /** Everything derived from these categories, for these tenants (the events' `workspaceId`); null: for all tenants. */
  readonly categories?: Readonly<Record<string, readonly string[] | null>>;
}

/** Maximum number of tenants tracked one by one. For the others, only the last change of an evicted tenant is known. */
const MOST_TENANTS = 20_000;

/** Counts reports. Moments of one `ViewChanges` can be compared with each other only. */
export type Moment = number;

export class ViewChanges {
  readonly #categoriesOf: (projection: string) => readonly string[];
  readonly #mostTenants: number;
  #now: Moment = 0;
  /** Last change of each category by tenant. The tenant that changed last comes last. */
  readonly #tenants = new Map<string, Map<string, Moment>>();
  /** Last change by category: of any tenant, and of no single tenant. */
  readonly #any = new Map<string, Moment>();
  readonly #all = new Map<string, Moment>();
  readonly #projections = new Map<string, Moment>();
  #forgotten: Moment = 0;

  /** `categoriesOf`: the categories that a projection reads. */
  constructor(categoriesOf: (projection: string) => readonly string[], mostTenants = MOST_TENANTS) {
    this.#categoriesOf = categoriesOf;
    this.#mostTenants = mostTenants;
  }

  /** Read it before the queries of a response, so that a concurrent change counts as later. */
  get now(): Moment {
    return this.#now;
  }

  /** Call it before waiters are notified that the views have moved. */
  heard({ projections = [], categories = {} }: Changed): void {
    this.#now += 1;
    for (const projection of projections) this.#projections.set(projection, this.#now);
    for (const [category, tenants] of Object.entries(categories)) {
      this.#any.set(category, this.#now);
      if (tenants === null) this.#all.set(category, this.#now);
      else for (const tenant of tenants) this.#changed(tenant, category);
    }
    this.#forget();
  }

  /**
   * Returns true if queries of this tenant on the projection may have other results than at the moment. Default:
   * queries of all tenants.
   */
  since(moment: Moment, projection: string, tenant?: string): boolean {
    if (moment === this.#now) return false;
    if (this.#forgotten > moment || isLater(this.#projections, projection, moment)) return true;
    const own = tenant === undefined ? this.#any : this.#tenants.get(tenant);
    for (const category of this.#categoriesOf(projection))
      if (isLater(this.#all, category, moment) || isLater(own, category, moment)) return true;
    return false;
  }

  #changed(tenant: string, category: string): void {
    const own = this.#tenants.get(tenant) ?? new Map<string, Moment>();
    own.set(category, this.#now);
    this.#tenants.delete(tenant);
    this.#tenants.set(tenant, own);
  }

  #forget(): void {
    for (const [tenant, own] of this.#tenants) {
      if (this.#tenants.size <= this.#mostTenants) return;
      this.#forgotten = Math.max(this.#forgotten, ...own.values());
      this.#tenants.delete(tenant);
    }
  }
}

const isLater = (moments: ReadonlyMap<string, Moment> | undefined, name: string, moment: Moment): boolean =>
  (moments?.get(name) ?? 0) > moment;

/** Other writers to the log may have set any metadata. */
function tenantOf({ event }: Incoming): string | undefined {
  const { workspaceId } = (event.meta ?? {}) as { readonly workspaceId?: unknown };
  return typeof workspaceId === 'string' ? workspaceId : undefined;
}

/** Returns the changes that the events of a page may have caused. */
export function changedBy({ byCategory }: Page): Changed {
  const categories: Record<string, readonly string[] | null> = {};
  for (const [category, events] of byCategory) {
    const tenants = new Set(events.map(tenantOf));
    categories[category] = tenants.has(undefined) ? null : ([...tenants] as string[]);
  }
  return { categories };
}
