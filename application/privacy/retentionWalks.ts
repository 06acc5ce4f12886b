/** Retention rules for inactive customers, and one run that applies them. */
import { DEFAULT_RULE, type Retention, retention } from '../../domain/privacy/retention.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Clock } from '../../engine/ports/clock.js';
import type { CollectionDefinition, DocumentStore } from '../../engine/ports/documents.js';
import { eachRow } from '../../engine/projections/allRows.js';
import type { Reads } from '../../engine/projections/reads.js';
import { retentionRules } from '../../projections/retentionRules.js';
import { stores } from '../../projections/stores.js';
import type { PersonKeys } from '../ports/personKeys.js';
import type { CommandsAbout, Forgetting, Subject } from './forgetting.js';
import { inactiveIn, isInactive, type Place } from './inactiveCustomers.js';

export const DAY_MS = 24 * 3_600_000;
/** Maximum erasures per run, after which all read models are rebuilt once. */
const MOST_FORGOTTEN = 1_000;
const MOST_SCANNED = 20_000;
/** Maximum time for which a scan continues where it ended. Then it starts over, for customers who could not be erased before. */
const WALK_MS = 30 * DAY_MS;

export interface RetainingParts {
  readonly reads: Reads;
  readonly commands: CommandHandler;
  readonly people: PersonKeys;
  readonly forgetting: Pick<Forgetting, 'forget'>;
  readonly work: DocumentStore;
  readonly clock: Pick<Clock, 'now'>;
}

/** The rule that applies in a store. */
interface RuleInForce {
  readonly workspaceId: string;
  readonly days: number;
  readonly rule: 'store' | 'default';
}

export interface Turn {
  /** Number of customers that were, or would be, erased, for stores that have any. */
  readonly stores: readonly { readonly workspaceId: string; readonly days: number; readonly customers: number }[];
  /** True if more wait for the next run. */
  readonly more: boolean;
}

interface Walked extends Place {
  /** Start of the scan, ms since 1970. */
  readonly since: number;
}

export const retentionWalks: CollectionDefinition = { name: 'retentionWalks', keys: {}, indexes: [] };

/** Returns the rule of a store, or the default rule. `workspaceId`: or `default`. */
export const ruleOf = (commands: Pick<CommandHandler, 'query'>, workspaceId: string): Promise<Retention> =>
  commands.query(retention, workspaceId, (state) => state);

/** Undefined: its customers are retained. */
async function ruleInStore(
  commands: Pick<CommandHandler, 'query'>,
  workspaceId: string,
): Promise<RuleInForce | undefined> {
  const own = (await ruleOf(commands, workspaceId)).days;
  const days = own ?? (await ruleOf(commands, DEFAULT_RULE)).days;
  return typeof days === 'number' ? { workspaceId, days, rule: own === undefined ? 'default' : 'store' } : undefined;
}

async function* rulesOfStores(reads: Reads): AsyncGenerator<RuleInForce> {
  for await (const { id, body } of eachRow(reads, retentionRules, {}))
    if (id !== DEFAULT_RULE && body.days !== undefined) yield { workspaceId: id, days: body.days, rule: 'store' };
}

/**
 * Yields the stores with a rule in force, in the order of their ids. `of`: one store, whichever rule applies there, or `default` for those
 * without a rule of their own. Absent: all.
 */
export async function* rulesInForce(
  { reads, commands }: Pick<RetainingParts, 'reads' | 'commands'>,
  of?: string,
): AsyncGenerator<RuleInForce> {
  if (of !== undefined && of !== DEFAULT_RULE) {
    const rule = await ruleInStore(commands, of);
    if (rule !== undefined) yield rule;
    return;
  }
  const general = (await ruleOf(commands, DEFAULT_RULE)).days;
  if (typeof general !== 'number') {
    if (of === undefined) yield* rulesOfStores(reads);
    return;
  }
  for await (const { id: workspaceId } of eachRow(reads, stores, {})) {
    const own = (await reads.get(retentionRules, workspaceId))?.body;
    if (own === undefined) yield { workspaceId, days: general, rule: 'default' };
    else if (of === undefined && own.days !== undefined) yield { workspaceId, days: own.days, rule: 'store' };
  }
}

/** Result for one store. */
interface Found {
  readonly rule: RuleInForce;
  readonly subjects: readonly Subject[];
  readonly through: Place | undefined;
  readonly scanned: number;
}

export class Retaining {
  readonly #parts: RetainingParts;

  constructor(parts: RetainingParts) {
    this.#parts = parts;
  }

  /** Counts the customers whom the rules would erase now, without erasing anybody. `days`: a hypothetical rule. */
  wouldTake({ of, days }: { readonly of?: string | undefined; readonly days?: number } = {}): Promise<Turn> {
    const rules = days === undefined ? rulesInForce(this.#parts, of) : this.#supposed(of ?? DEFAULT_RULE, days);
    return this.#turn({ rules, from: async () => undefined }, async () => {});
  }

  /** Yields the stores in which a hypothetical rule would apply. */
  async *#supposed(of: string, days: number): AsyncGenerator<RuleInForce> {
    const { reads } = this.#parts;
    if (of !== DEFAULT_RULE) return yield { workspaceId: of, days, rule: 'store' };
    for await (const { id: workspaceId } of eachRow(reads, stores, {}))
      if ((await reads.get(retentionRules, workspaceId)) === undefined) yield { workspaceId, days, rule: 'default' };
  }

  /**
   * Erases customers by the rules, a bounded number. May be interrupted at any time and repeated. `of`: as in `rulesInForce`. `shown`:
   * resolves when the read models have caught up.
   */
  async take(
    commands: CommandsAbout,
    { of, signal, shown }: { of?: string | undefined; signal?: AbortSignal; shown?: () => Promise<unknown> } = {},
  ): Promise<Turn> {
    const { work, clock, forgetting } = this.#parts;
    await work.open(retentionWalks);
    const walks = new Map<string, Walked>();
    const from = async (id: string): Promise<Place | undefined> => {
      const walked = (await work.get<Walked>(retentionWalks.name, id))?.body;
      if (walked === undefined || clock.now() - walked.since >= WALK_MS) return undefined;
      walks.set(id, walked);
      return walked;
    };
    return this.#turn({ rules: rulesInForce(this.#parts, of), from, signal }, async (all) => {
      // Customers who have written during the scan are not erased.
      if (all.some(({ subjects }) => subjects.length > 0)) await shown?.();
      const subjects = await this.#stillInactive(all);
      if (subjects.length > 0) await forgetting.forget(subjects, commands);
      const now = clock.now();
      const put = all.flatMap(({ rule, through }) => {
        const since = walks.get(rule.workspaceId)?.since ?? now;
        return through ? [{ id: rule.workspaceId, keys: {}, revision: now, body: { ...through, since } }] : [];
      });
      if (put.length > 0) await work.write({ [retentionWalks.name]: { put } });
    });
  }

  async #stillInactive(all: readonly Found[]): Promise<Subject[]> {
    const still: Subject[] = [];
    for (const { rule, subjects } of all) {
      const { workspaceId, days } = rule;
      const cutoff = this.#parts.clock.now() - days * DAY_MS;
      for (const one of subjects) if (await isInactive(this.#parts, workspaceId, cutoff, one.value)) still.push(one);
    }
    return still;
  }

  async #turn(
    how: {
      rules: AsyncGenerator<RuleInForce>;
      from: (workspaceId: string) => Promise<Place | undefined>;
      signal?: AbortSignal | undefined;
    },
    end: (found: readonly Found[]) => Promise<void>,
  ): Promise<Turn> {
    const all: Found[] = [];
    let [customers, scanned] = [0, 0];
    for await (const rule of how.rules) {
      how.signal?.throwIfAborted();
      const room = { customers: MOST_FORGOTTEN - customers, scanned: MOST_SCANNED - scanned };
      const found = await this.#inStore(rule, await how.from(rule.workspaceId), room);
      all.push(found);
      customers += found.subjects.length;
      scanned += found.scanned;
      if (customers >= MOST_FORGOTTEN || scanned >= MOST_SCANNED) break;
    }
    await end(all);
    const of = all.filter(({ subjects }) => subjects.length > 0);
    return {
      stores: of.map(({ rule: { workspaceId, days }, subjects }) => ({
        workspaceId,
        days,
        customers: subjects.length,
      })),
      more: customers >= MOST_FORGOTTEN || scanned >= MOST_SCANNED,
    };
  }

  /** Exceeds the room by at most one page. */
  async #inStore(
    rule: RuleInForce,
    after: Place | undefined,
    room: { readonly customers: number; readonly scanned: number },
  ): Promise<Found> {
    const { workspaceId, days } = rule;
    const cutoff = this.#parts.clock.now() - days * DAY_MS;
    const subjects: Subject[] = [];
    let through: Place | undefined;
    let scanned = 0;
    for await (const page of inactiveIn(this.#parts, workspaceId, cutoff, after)) {
      subjects.push(...page.found.map((one) => ({ ...one, workspaceId, by: { rule: rule.rule, days } })));
      through = page.through;
      scanned += page.scanned;
      if (subjects.length >= room.customers || scanned >= room.scanned) break;
    }
    return { rule, subjects, through, scanned };
  }
}
