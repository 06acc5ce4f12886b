import type { listPlans, putPlan } from '../../admin/plans.js';
import { type CliCommand, command, UsageError } from '../command.js';
import { listText, table } from '../text.js';

interface Feature {
  readonly key: string;
  readonly enabled: boolean;
  readonly limit?: number;
}

/** `commerce.catalog`, `commerce.orders=off`, `commerce.products.max=10`. */
function feature(text: string): Feature {
  const [key = '', value, ...rest] = text.split('=');
  if (rest.length > 0 || key === '') throw new UsageError(`--feature ${text} is not of the form KEY or KEY=VALUE`);
  if (value === undefined || value === 'on') return { key, enabled: true };
  if (value === 'off') return { key, enabled: false };
  if (/^\d{1,15}$/.test(value)) return { key, enabled: true, limit: Number(value) };
  throw new UsageError(`--feature ${text}: the value must be on, off or a whole number (the most allowed)`);
}

const written = ({ key, enabled, limit }: Feature): string =>
  `${key}${enabled ? '' : '=off'}${limit === undefined ? '' : `=${limit}`}`;

type Put = Awaited<ReturnType<typeof putPlan>>;
type List = Awaited<ReturnType<typeof listPlans>>;

export const planCommands: readonly CliCommand[] = [
  command<Put>({
    words: ['admin', 'plans', 'put'],
    about: 'Publishes a plan, or a new version of it.',
    options: {
      key: { value: 'K', about: 'The plan, 1–64 of a–z, 0–9, _ and -.', required: true },
      name: { value: 'N', about: 'As people read it.', required: true },
      feature: {
        value: 'F[=V]',
        about: 'KEY, KEY=off, or KEY=N for the most allowed. Several; they replace those before.',
        many: true,
      },
    },
    admin: {
      command: 'plans.put',
      input: (typed) => ({
        key: typed.one('key'),
        name: typed.one('name'),
        features: typed.all('feature').map(feature),
      }),
    },
    text: ({ key, version, changed, features }) =>
      `Plan ${key}, version ${version}${changed ? '' : ' (unchanged)'}: ${features.map(written).join(', ') || 'no features'}`,
  }),
  command<List>({
    words: ['admin', 'plans', 'list'],
    about: 'Lists the published plans.',
    admin: { command: 'plans.list', input: () => ({}) },
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
