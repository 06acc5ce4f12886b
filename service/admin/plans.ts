import { plan, publishPlan } from '../../domain/partners/plan.js';
import { plans } from '../../projections/plans.js';
import type { AdminWork } from './context.js';
import { Fields } from './input.js';
import { listAll } from './listing.js';

/** `{key, name, features: [{key, enabled, limit?}]}` → the plan as it is published, and whether that was new. */
export async function putPlan(work: AdminWork, input: unknown) {
  const fields = new Fields(input);
  const key = fields.text('key');
  const name = fields.text('name');
  const features = fields.objects('features').map(({ key, enabled = true, limit }) => ({
    key: String(key),
    enabled: enabled === true,
    ...(limit === undefined ? {} : { limit: Number(limit) }),
  }));
  fields.check();
  const commands = work.commands();
  const { events } = await commands.decide(plan, key, publishPlan({ key, name, features }));
  return commands.query(plan, key, (state) => {
    const { version, features } = state.status === 'published' ? state : { version: 0, features: [] };
    return { key, name, version, features, changed: events.length > 0 };
  });
}

export async function listPlans({ reads }: AdminWork) {
  const { bodies, more } = await listAll(reads, plans, {});
  return { plans: bodies, more };
}
