import { plan, publishPlan } from '../../domain/partners/plan.js';
import { plans } from '../../projections/plans.js';
import { type AdminCommand, adminCommand, adminQuery, type Option, UsageError } from './declaration.js';
import { listAll, paging } from './listPages.js';
import { text } from './options.js';
import { listText, table } from './text.js';

interface Feature {
  readonly key: string;
  readonly enabled: boolean;
  readonly limit?: number;
}

/** `commerce.catalog`, `commerce.orders=off`, `commerce.products.max=10`. */
function feature(typed: string): Feature {
  const [key = '', value, ...rest] = typed.split('=');
  if (rest.length > 0 || key === '') throw new UsageError(`--feature ${typed} is not of the form KEY or KEY=VALUE`);
  if (value === undefined || value === 'on') return { key, enabled: true };
  if (value === 'off') return { key, enabled: false };
  if (/^\d{1,15}$/.test(value)) return { key, enabled: true, limit: Number(value) };
  throw new UsageError(`--feature ${typed}: the value must be on, off or a whole number (the limit)`);
}

const written = ({ key, enabled, limit }: Feature): string =>
  `${key}${enabled ? '' : '=off'}${limit === undefined ? '' : `=${limit}`}`;

const features: Option<readonly Feature[]> = {
  typedAs: 'feature',
  value: 'F[=V]',
  about: 'KEY, KEY=off, or KEY=N for a limit. Repeatable; replaces all features.',
  many: true,
  sendMany: (typed) => typed.map(feature),
  check: (fields, name) =>
    fields.objects(name).map(({ key, enabled = true, limit }) => ({
      key: String(key),
      enabled: enabled === true,
      ...(limit === undefined ? {} : { limit: Number(limit) }),
    })),
};

export const planCommands: readonly AdminCommand[] = [
  adminCommand({
    name: 'plans.put',
    about: 'Publish a plan, or a new version of it.',
    options: {
      key: text({ value: 'K', about: 'Plan key: 1–64 of a–z, 0–9, _ and -.', required: true }),
      name: text({ value: 'N', about: 'Display name.', required: true }),
      features,
    },
    async run(work, { key, name, features }) {
      const commands = work.commands();
      const { events } = await commands.decide(plan, key, publishPlan({ key, name, features }));
      return commands.query(plan, key, (state) => {
        const { version, features } = state.status === 'published' ? state : { version: 0, features: [] };
        return { key, name, version, features, changed: events.length > 0 };
      });
    },
    text: ({ key, version, changed, features }) =>
      `Plan ${key}, version ${version}${changed ? '' : ' (unchanged)'}: ${features.map(written).join(', ') || 'no features'}`,
  }),
  adminQuery({
    name: 'plans.list',
    about: 'List the published plans.',
    list: 'plans',
    options: paging,
    async run({ reads }, page) {
      const { bodies, ...rest } = await listAll(reads, plans, {}, page);
      return { plans: bodies, ...rest };
    },
    text: ({ plans, more }) =>
      listText(
        table(
          ['KEY', 'VERSION', 'NAME', 'FEATURES'],
          plans.map(({ key, version, name, features }) => [key, version, name, features.map(written).join(' ')]),
          'There are no plans.',
        ),
        more,
      ),
  }),
];
