import { randomUUID } from 'node:crypto';
import { refuse } from '../../domain/decider.js';
import { COLOR_MODES, FONTS } from '../../domain/partners/appearance.js';
import {
  changeAppearance,
  checkNewPartner,
  createPartner as create,
  partner,
  partnerSlug,
  reinstatePartner as reinstate,
  suspendPartner as suspend,
  takeSlug,
} from '../../domain/partners/partner.js';
import { plan } from '../../domain/partners/plan.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import { partners } from '../../projections/partners.js';
import type { AdminWork } from './context.js';
import { Fields } from './input.js';
import { listAll } from './listing.js';

/** Refuses `plan_not_found`: a store on a plan that does not exist could do nothing. */
export async function checkPlan(commands: BoundCommands, key: string): Promise<void> {
  const published = await commands.query(plan, key, (state) => state.status === 'published');
  if (!published) refuse('plan_not_found', `There is no plan ${key}; make it with 'suuq admin plans put'.`);
}

/**
 * `{name, slug, plan}` → `{id, name, slug, planKey}`. The slug is taken first, then the partner is made under the id that
 * the slug stands for: a crash between them is healed by the next try. A slug in use is refused with `name_taken`.
 */
export async function createPartner(work: AdminWork, input: unknown) {
  const fields = new Fields(input);
  const wanted = { name: fields.text('name'), slug: fields.text('slug'), planKey: fields.text('plan') };
  fields.check();
  checkNewPartner(wanted);
  const { slug } = wanted;
  const commands = work.commands();
  await checkPlan(commands, wanted.planKey);
  const proposed = randomUUID();
  await commands.decide(partnerSlug, slug, takeSlug({ slug, partnerId: proposed }));
  const id = await commands.query(partnerSlug, slug, (holder) => holder?.partnerId ?? proposed);
  const { events } = await work.commands({ partnerId: id }).decide(partner, id, create(wanted));
  if (events.length === 0) refuse('name_taken', `There is a partner with the slug ${slug} already: ${id}.`);
  return { id, ...wanted };
}

/** `{id, reason?}`: the partner's keys can only view until it is reinstated. */
export async function suspendPartner(work: AdminWork, input: unknown) {
  const fields = new Fields(input);
  const id = fields.text('id');
  const reason = fields.optionalText('reason');
  fields.check();
  await work.commands({ partnerId: id }).decide(partner, id, suspend(reason === undefined ? {} : { reason }));
  return { id, status: 'suspended' };
}

/** `{id}` */
export async function reinstatePartner(work: AdminWork, input: unknown) {
  const fields = new Fields(input);
  const id = fields.text('id');
  fields.check();
  await work.commands({ partnerId: id }).decide(partner, id, reinstate());
  return { id, status: 'active' };
}

/** `{id, primaryColor?, radius?, font?, colorMode?}` → all four as they are then. What is left out stays. */
export async function partnerAppearance(work: AdminWork, input: unknown) {
  const fields = new Fields(input);
  const id = fields.text('id');
  const primaryColor = fields.optionalText('primaryColor');
  const radius = fields.optionalText('radius');
  const font = fields.optionalOneOf('font', FONTS);
  const colorMode = fields.optionalOneOf('colorMode', COLOR_MODES);
  fields.check();
  const wanted = {
    ...(primaryColor === undefined ? {} : { primaryColor }),
    ...(radius === undefined ? {} : { radius: Number(radius) }),
    ...(font === undefined ? {} : { font }),
    ...(colorMode === undefined ? {} : { colorMode }),
  };
  const commands = work.commands({ partnerId: id });
  await commands.decide(partner, id, changeAppearance(wanted));
  const appearance = await commands.query(partner, id, (state) =>
    state.status === 'absent' ? undefined : state.appearance,
  );
  return { id, ...appearance! };
}

/** Oldest first. */
export async function listPartners({ reads }: AdminWork) {
  const { bodies, more } = await listAll(reads, partners, { sort: ['createdAt'] });
  return { partners: bodies, more };
}
