import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { COLOR_MODES, FONTS } from '../../domain/partners/appearance.js';
import {
  changeAppearance,
  checkNewPartner,
  createPartner,
  partner,
  partnerSlug,
  reinstatePartner,
  suspendPartner,
  takeSlug,
} from '../../domain/partners/partner.js';
import { plan } from '../../domain/partners/plan.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import { partners } from '../../projections/partners.js';
import { type AdminCommand, adminCommand, adminQuery } from './declaration.js';
import { listAll, paging } from './listPages.js';
import { maybeOneOf, text } from './options.js';
import { listText, table } from './text.js';

/** Refuses `plan_not_found`: a store on a plan that does not exist could do nothing. */
export async function checkPlan(commands: BoundCommands, key: string): Promise<void> {
  const published = await commands.query(plan, key, (state) => state.status === 'published');
  if (!published) refuse('plan_not_found', `There is no plan ${key}. Create it with 'suuq admin plans put'.`);
}

const id = text({ value: 'ID', about: "The partner's id.", required: true });
const moved = ({ id, status }: { readonly id: string; readonly status: string }): string =>
  `Partner ${id} is ${status}.`;

const create = adminCommand({
  name: 'partners.create',
  about: 'Create a partner, a platform that runs stores.',
  options: {
    name: text({ value: 'N', about: 'Display name.', required: true }),
    slug: text({ value: 'S', about: 'Unique short name: 1–63 of a–z, 0–9 and -.', required: true }),
    plan: text({ value: 'K', about: 'Default plan of its new stores.', required: true }),
  },
  /**
   * The slug is claimed first, then the partner is created under the id of the claim: a crash between them is repaired by the next attempt.
   * A slug in use is refused with `name_taken`.
   */
  async run(work, { name, slug, plan: planKey }) {
    const requested = { name, slug, planKey };
    checkNewPartner(requested);
    const commands = work.commands();
    await checkPlan(commands, planKey);
    const proposed = work.newId('partner');
    await commands.decide(partnerSlug, slug, takeSlug({ slug, partnerId: proposed }));
    const id = await commands.query(partnerSlug, slug, (holder) => holder?.partnerId ?? proposed);
    const { events } = await work.commands({ partnerId: id }).decide(partner, id, createPartner(requested));
    if (events.length === 0 && id !== proposed)
      refuse('name_taken', `The slug ${slug} is already used by the partner ${id}.`);
    return { id, ...requested };
  },
  text: ({ id, slug, planKey }) => `Partner ${slug} on plan ${planKey}: ${id}`,
});

const list = adminQuery({
  name: 'partners.list',
  about: 'List the partners.',
  list: 'partners',
  options: paging,
  /** Oldest first. */
  async run({ reads }, page) {
    const { bodies, ...rest } = await listAll(reads, partners, { sort: ['createdAt'] }, page);
    return { partners: bodies, ...rest };
  },
  text: ({ partners, more }) =>
    listText(
      table(
        ['ID', 'SLUG', 'STATUS', 'PLAN', 'NAME'],
        partners.map(({ id, slug, status, planKey, name }) => [id, slug, status, planKey, name]),
        'There are no partners.',
      ),
      more,
    ),
});

const suspend = adminCommand({
  name: 'partners.suspend',
  about: 'Suspend a partner: its keys become read-only, its stores stay open.',
  options: { id, reason: text({ value: 'R', about: 'Reason. Stored in the history.' }) },
  async run(work, { id, reason }) {
    const decision = suspendPartner(defined({ reason }));
    await work.commands({ partnerId: id }).decide(partner, id, decision);
    return { id, status: 'suspended' };
  },
  text: moved,
});

const reinstate = adminCommand({
  name: 'partners.reinstate',
  about: 'End the suspension of a partner.',
  options: { id },
  async run(work, { id }) {
    await work.commands({ partnerId: id }).decide(partner, id, reinstatePartner());
    return { id, status: 'active' };
  },
  text: moved,
});

const appearance = adminCommand({
  name: 'partners.appearance',
  about: "Set or show the appearance of the partner's embedded screens.",
  options: {
    id,
    primaryColor: text({ typedAs: 'color', value: '#RRGGBB', about: 'Main colour.' }),
    radius: text({ value: 'PX', about: 'Corner radius, 0 to 24 pixels.' }),
    font: maybeOneOf({ value: 'F', about: 'Font: ibm_plex_sans, inter or system.' }, FONTS),
    colorMode: maybeOneOf({ typedAs: 'mode', value: 'M', about: 'Colour mode: light, dark or auto.' }, COLOR_MODES),
  },
  /** Omitted options are unchanged. */
  async run(work, { id, primaryColor, radius, font, colorMode }) {
    const requested = {
      ...defined({ primaryColor }),
      ...(radius === undefined ? {} : { radius: Number(radius) }),
      ...defined({ font, colorMode }),
    };
    const commands = work.commands({ partnerId: id });
    await commands.decide(partner, id, changeAppearance(requested));
    const appearance = await commands.query(partner, id, (state) =>
      state.status === 'absent' ? undefined : state.appearance,
    );
    return { id, ...appearance! };
  },
  text: ({ primaryColor, radius, font, colorMode }) =>
    `Colour ${primaryColor}, radius ${radius} px, font ${font}, ${colorMode}.`,
});

export const partnerCommands: readonly AdminCommand[] = [create, list, suspend, reinstate, appearance];
