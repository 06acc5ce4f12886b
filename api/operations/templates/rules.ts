/** Rules of a template's body that are checked also where other fields are wrong. */
import { phoneProblems } from '../../../application/templates/templates.js';
import type { FieldProblem } from '../../../domain/decider.js';
import { buttonProblems } from '../../../domain/templates/buttonRules.js';
import { definitionProblems, type Known, languageProblems } from '../../../domain/templates/definitionRules.js';
import { template } from '../../../domain/templates/template.js';
import type { TemplateCategory, TemplateDefinition } from '../../../domain/templates/templateDefinition.js';
import type { BodyRule, RuleRequest } from '../../contract/operation.js';

interface Sent {
  readonly category?: TemplateCategory;
  readonly definition: TemplateDefinition;
}
type Reads = (body: Sent, request: RuleRequest) => Promise<Known | undefined>;

/** Checks the buttons, also where other parts of the definition are wrong. */
function buttonsOf({ buttons = [] }: TemplateDefinition, { category }: Known): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (category === 'authentication') return problems;
  buttonProblems(buttons, (place, message, value) => {
    problems.push({ message, location: `body.definition.${place}`, ...(value !== undefined && { value }) });
  });
  return problems;
}

/** Rules of a definition. The one for its buttons comes after the one for all of it, which reports the same problems. */
const definitionRules = (stored: boolean, known: Reads): readonly BodyRule[] =>
  [
    { part: 'definition', problems: definitionProblems },
    { part: 'definition.buttons', problems: buttonsOf },
  ].map(({ part, problems }) => ({
    stored,
    fields: ['category', part],
    async problems(body: Sent, request) {
      const found = await known(body, request);
      return found === undefined ? [] : problems(body.definition, found);
    },
  }));

const phonesRule: BodyRule = {
  fields: ['definition.buttons'],
  problems: ({ definition }: Sent) => phoneProblems(definition),
};

/** Rules of a template that is created. */
export const createRules: readonly BodyRule[] = [
  { fields: ['language'], problems: ({ language }) => languageProblems(language) },
  ...definitionRules(false, async ({ category }) => ({ category: category! })),
  phonesRule,
];

/** Rules of a template that is edited: it has the stored category unless the body names another. */
export const editRules: readonly BodyRule[] = [
  ...definitionRules(true, ({ category }, { commands, params, workspace: { workspaceId } }) =>
    commands.query(template, String(params.templateId).toLowerCase(), (state) =>
      state.standing && state.workspaceId === workspaceId
        ? { category: category ?? state.category, current: state.definition }
        : undefined,
    ),
  ),
  phonesRule,
];
