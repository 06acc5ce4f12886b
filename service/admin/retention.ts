/** `suuq admin retention`: after how long customers are forgotten of themselves. */
import type { Retaining, Turn } from '../../application/privacy/retentionWalks.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import {
  clearRetention,
  DEFAULT_RULE,
  isRetentionDays,
  LEAST_DAYS,
  MOST_DAYS,
  retention,
  setRetention,
} from '../../domain/privacy/retention.js';
import { retentionRules } from '../../projections/retentionRules.js';
import { type AdminReads, aboutStore, requireStore } from './context.js';
import { type AdminCommand, adminCommand, adminQuery, type Option } from './declaration.js';
import { listAll, paging } from './listPages.js';
import { flag, text } from './options.js';
import { listText, type Shown, table } from './text.js';

const retainingOf = ({ retaining }: Pick<AdminReads, 'retaining'>): Retaining =>
  retaining ?? refuse('not_found', 'Personal data is not sealed in this installation, so nobody can be erased.');

type Days = number | 'forever' | 'default';

const days: Option<Days> = {
  value: 'N',
  about: `Days without activity, at least ${LEAST_DAYS}; 'forever'; 'default': remove the store's rule.`,
  required: true,
  send: (typed) => (typed !== undefined && /^\d{1,9}$/.test(typed) ? Number(typed) : typed),
  check(fields, name) {
    const value = fields.value(name);
    if (value === 'forever' || value === 'default' || isRetentionDays(value)) return value;
    fields.problem(name, `must be ${LEAST_DAYS} to ${MOST_DAYS} whole days, 'forever' or 'default'`, value);
    return 'forever';
  },
};

const dryRun = flag('Count the affected customers without changing anything.');

/** Refuses `not_found`. */
async function existing(work: Pick<AdminReads, 'reads'>, typed: string | undefined): Promise<string | undefined> {
  const workspaceId = typed?.toLowerCase();
  if (workspaceId !== undefined) await requireStore(work, workspaceId);
  return workspaceId;
}

const ruleText = (rule: Days | undefined): string =>
  rule === undefined || rule === 'forever' ? 'for ever' : rule === 'default' ? 'as the default' : `${rule} days`;

const turnText = ({ stores: of, more }: Turn, none: string): Shown => [
  table(
    ['WORKSPACE', 'DAYS', 'CUSTOMERS'],
    of.map(({ workspaceId, days: after, customers }) => [workspaceId, String(after), String(customers)]),
    none,
  ),
  ...(more ? ['There are more: one run has a limit.'] : []),
];

interface SetResult {
  /** Absent: the default. */
  readonly workspaceId?: string;
  readonly days: Days;
  readonly changed: boolean;
  /** Result of a dry run. */
  readonly wouldTake?: Turn;
}

const set = adminCommand({
  name: 'retention.set',
  about: 'Set after how many idle days customers are erased.',
  options: {
    days,
    workspace: text({
      value: 'ID',
      about: 'Workspace id of a store. Default: all stores without a rule of their own.',
    }),
    dryRun,
  },
  check(input, fields) {
    if (input.days === 'default' && input.workspace === undefined)
      fields.problem('days', "can be 'default' only for a store: set --workspace", 'default');
  },
  /** Refuses `validation_failed`, `not_found`. */
  async run(work, { days: after, workspace: typed, dryRun: isDry }): Promise<SetResult> {
    const workspaceId = await existing(work, typed);
    const result = { ...defined({ workspaceId }), days: after };
    if (isDry) {
      const wouldTake =
        typeof after === 'number'
          ? await retainingOf(work).wouldTake({ of: workspaceId ?? DEFAULT_RULE, days: after })
          : { stores: [], more: false };
      return { ...result, changed: false, wouldTake };
    }
    const commands = work.commands(workspaceId === undefined ? {} : await aboutStore(work, workspaceId));
    const decision = after === 'default' ? clearRetention() : setRetention(after);
    const { events } = await commands.decide(retention, workspaceId ?? DEFAULT_RULE, decision);
    return { ...result, changed: events.length > 0 };
  },
  text: ({ workspaceId, days: after, changed, wouldTake }: SetResult): Shown =>
    wouldTake
      ? turnText(wouldTake, 'It would erase nobody.')
      : `${workspaceId === undefined ? 'Stores without a rule of their own' : `Store ${workspaceId}`}: customers are stored ${ruleText(after)}${changed ? '.' : ' (unchanged).'}`,
});

const list = adminQuery({
  name: 'retention.list',
  about: 'List the retention rules: the default, and those of stores.',
  list: 'rules',
  options: paging,
  async run({ reads }, page) {
    const { bodies: rules, ...rest } = await listAll(reads, retentionRules, {}, page);
    return { rules, ...rest };
  },
  text: ({ rules, more }) =>
    listText(
      table(
        ['WORKSPACE', 'KEPT', 'SINCE'],
        rules.map(({ workspaceId, days: after, since }) => [workspaceId, ruleText(after), since]),
        'No rules: customers are never erased.',
      ),
      more,
    ),
});

const run = adminCommand({
  name: 'retention.run',
  about: 'Apply the retention rules now. Erasures are permanent.',
  options: { workspace: text({ value: 'ID', about: 'Workspace id of a store. Default: all stores.' }), dryRun },
  /** Refuses `not_found`. */
  async run(work, { workspace: typed, dryRun: isDry }): Promise<Turn & { readonly dryRun: boolean }> {
    const [retaining, of] = [retainingOf(work), await existing(work, typed)];
    const turn = await (isDry ? retaining.wouldTake({ of }) : retaining.take(work.commands, { of }));
    return { ...turn, dryRun: isDry };
  },
  text: ({ dryRun: isDry, ...turn }) =>
    turnText(turn, isDry ? 'The rules would erase nobody.' : 'The rules erased nobody.'),
});

export const retentionCommands: readonly AdminCommand[] = [set, list, run];
