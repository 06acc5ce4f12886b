/**
 * `npm run bench [-- --only NAME] [--runs N] [--json FILE] [--profile DIR]`: measures this machine; every figure with bare servers of the
 * same run as reference.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { analysis } from './cases/analysis.js';
import { authentication } from './cases/authentication.js';
import { checkouts } from './cases/checkouts.js';
import { consolePages } from './cases/console.js';
import { listConversations } from './cases/conversationList.js';
import { costs } from './cases/costs.js';
import { day } from './cases/day.js';
import { eventStoreDb } from './cases/eventstoredb.js';
import { history, rebuild } from './cases/history.js';
import { inbound } from './cases/inbound.js';
import { instances } from './cases/instances.js';
import { mongodb } from './cases/mongodb.js';
import { oneTenant } from './cases/oneTenant.js';
import { listOrders } from './cases/orderList.js';
import { cartToOrder, getOrder } from './cases/orders.js';
import { pricing } from './cases/pricing.js';
import { listProducts, upsertProduct, upsertProducts } from './cases/products.js';
import { proofs } from './cases/proofs.js';
import { start } from './cases/start.js';
import { takeover } from './cases/takeover.js';
import { webhooks } from './cases/webhooks.js';
import { profiled } from './profiling/profiles.js';
import { profileOnly } from './support/effort.js';
import { costTable, type Figure, machine, table } from './support/report.js';
import { runCases } from './support/runCases.js';

const cases: Readonly<Record<string, () => Promise<Figure[]>>> = {
  upsertProduct,
  upsertProducts,
  listProducts,
  getOrder,
  oneTenant,
  authentication,
  cartToOrder,
  checkouts,
  listOrders,
  inbound,
  listConversations,
  rebuild,
  history,
  console: consolePages,
  analysis,
  eventStoreDb,
  mongodb,
  pricing,
  proofs,
  takeover,
  instances,
  costs,
  day,
  webhooks,
  start,
};

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    runs: { type: 'string', default: '1' },
    json: { type: 'string' },
    profile: { type: 'string' },
  },
});
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) {
  process.stderr.write(`--runs is a whole number from 1 on, not ${values.runs}.\n`);
  process.exit(2);
}
const names = values.only ?? Object.keys(cases);
const unknown = names.filter((name) => cases[name] === undefined);
if (unknown.length > 0) {
  process.stderr.write(`No measurement is named ${unknown.join(', ')}. There are: ${Object.keys(cases).join(', ')}.\n`);
  process.exit(2);
}

if (values.profile !== undefined) profileOnly();
const { profile, json } = values;
const { figures, failed } = await runCases(
  names.map((name) => ({
    name,
    measure: () => (profile === undefined ? cases[name]!() : profiled(name, profile, cases[name]!)),
  })),
  runs,
  (text) => void process.stderr.write(text),
);
if (json !== undefined) writeFileSync(json, `${JSON.stringify(figures, null, 2)}\n`);
process.stdout.write(`${[machine(), table(figures), costTable(figures)].filter((part) => part !== '').join('\n\n')}\n`);
for (const { name, error } of failed) process.stderr.write(`${name} failed: ${error}\n`);
process.exitCode = failed.length === 0 && figures.every((figure) => figure.reached) ? 0 : 1;
