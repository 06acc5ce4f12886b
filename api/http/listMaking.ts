/** Decides which pages of a list operation other threads may render, and which changes they wait for. */
import { readScopes } from '../../application/access/changeScopes.js';
import type { MemberAccess } from '../../application/access/principal.js';
import type { Operation } from '../contract/operation.js';
import type { Access } from './access.js';
import type { AnswerSources } from './answerSources.js';
import type { PipelineContext } from './context.js';
import type { Input } from './input/validation.js';
import type { MadePage, PageMakers } from './pageMakers.js';
import { readLate } from './requestScope.js';

const memberOf = ({ memberId, role, teamIds, seesEveryTeam }: MemberAccess): MemberAccess => ({
  ...{ memberId, role, teamIds, seesEveryTeam },
});

function withoutFeatures<T extends { readonly features: unknown }>(
  owner: T | undefined,
): Omit<T, 'features'> | undefined {
  if (owner === undefined) return undefined;
  const { features, ...plain } = owner;
  return plain;
}

/** Lists of one operation, as far as threads make them. */
export class ListMaking {
  readonly #operation: string;
  readonly #makers: PageMakers;
  readonly #acknowledged: PipelineContext['acknowledged'];
  /** All that its pages were made of so far: a page is handed over once these show what was acknowledged. */
  readonly #projections = new Set<string>();
  #isElsewhere = false;

  constructor(operation: string, makers: PageMakers, acknowledged: PipelineContext['acknowledged']) {
    this.#operation = operation;
    this.#makers = makers;
    this.#acknowledged = acknowledged;
  }

  /** Records the dependencies of a page that was rendered here. */
  learn({ projections, onlyViews }: AnswerSources): void {
    if (!onlyViews) this.#isElsewhere = true;
    for (const projection of projections) this.#projections.add(projection);
  }

  /**
   * The page, and in `sources` what it was made of; undefined: it is to be made here. Refuses `unavailable` when a view is
   * late, as a read here would.
   */
  async make(
    { workspace, partner, member }: Access,
    input: Input,
    sources: AnswerSources,
  ): Promise<MadePage | undefined> {
    if (this.#isElsewhere || this.#projections.size === 0) return undefined;
    const scopes = readScopes(workspace?.workspaceId, workspace?.partnerId ?? partner?.partnerId);
    for (const projection of this.#projections) {
      const waiting = this.#acknowledged?.shown(projection, scopes);
      if (waiting !== undefined && !(await waiting)) throw readLate();
    }
    const made = await this.#makers.make({
      operation: this.#operation,
      params: input.params,
      query: input.query,
      workspace: withoutFeatures(workspace),
      partner: withoutFeatures(partner),
      member: member && memberOf(member),
    });
    if (made === 'elsewhere') this.#isElsewhere = true;
    if (made === 'elsewhere' || made === undefined) return undefined;
    // Of a view that nobody has waited for it may be too old.
    if (!made.projections.every((projection) => this.#projections.has(projection))) return undefined;
    for (const projection of made.projections) sources.view(projection);
    return made;
  }
}

/** Undefined for what is no list, and where no threads make any: a get costs no more than handing it over. */
export function listMaking({ id, query }: Operation, context: PipelineContext): ListMaking | undefined {
  const { pageMakers, acknowledged, answers } = context;
  if (pageMakers === undefined || answers === undefined || query?.limit === undefined) return undefined;
  return new ListMaking(id, pageMakers, acknowledged);
}
