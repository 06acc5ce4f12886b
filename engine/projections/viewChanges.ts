/**
 * When what queries show may last have changed, by tenant: so that an answer that was made once need not be made again while
 * nothing of it has. Told by the projections after each write, in the process that runs them all.
 */
import type { Incoming, Page } from './page.js';

/** What queries may show otherwise than before, after a write. */
export interface Changed {
  /** All of these projections. */
  readonly projections?: readonly string[];
  /** What is made of these categories, for these tenants (the events' `workspaceId`); null: for all. */
  readonly categories?: Readonly<Record<string, readonly string[] | null>>;
}

/** Tenants remembered one by one; of the others only when the last of them was forgotten. */
const MOST_TENANTS = 20_000;

/** Counts what was told; moments of one `ViewChanges` can be compared with each other, and with nothing else. */
export type Moment = number;

export class ViewChanges {
  readonly #categoriesOf: (projection: string) => readonly string[];
  readonly #mostTenants: number;
  #now: Moment = 0;
  /** By tenant, the last change of each category; who changed last stands last. */
  readonly #tenants = new Map<string, Map<string, Moment>>();
  /** By category: the last change of any tenant, and the last that is of no single one. */
  readonly #any = new Map<string, Moment>();
  readonly #all = new Map<string, Moment>();
  readonly #projections = new Map<string, Moment>();
  #forgotten: Moment = 0;

  /** `categoriesOf`: the categories that a projection reads. */
  constructor(categoriesOf: (projection: string) => readonly string[], mostTenants = MOST_TENANTS) {
    this.#categoriesOf = categoriesOf;
    this.#mostTenants = mostTenants;
  }

  /** To be taken before the queries of an answer: whatever changes meanwhile then counts as later. */
  get now(): Moment {
    return this.#now;
  }

  /** Before anybody is told that the views have moved. */
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

  /** Whether queries of this tenant on the projection may show something else than at the moment; absent: queries on all. */
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

/** Others who write to the log may have given an event any metadata. */
function tenantOf({ event }: Incoming): string | undefined {
  const { workspaceId } = (event.meta ?? {}) as { readonly workspaceId?: unknown };
  return typeof workspaceId === 'string' ? workspaceId : undefined;
}

/** What the events of a page may have changed. */
export function changedBy({ byCategory }: Page): Changed {
  const categories: Record<string, readonly string[] | null> = {};
  for (const [category, events] of byCategory) {
    const tenants = new Set(events.map(tenantOf));
    categories[category] = tenants.has(undefined) ? null : ([...tenants] as string[]);
  }
  return { categories };
}
