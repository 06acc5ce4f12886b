import type { createPartner, listPartners, partnerAppearance } from '../../admin/partners.js';
import { type CliCommand, command } from '../command.js';
import { listText, table } from '../text.js';

type Created = Awaited<ReturnType<typeof createPartner>>;
type List = Awaited<ReturnType<typeof listPartners>>;
type Appearance = Awaited<ReturnType<typeof partnerAppearance>>;
type Moved = { readonly id: string; readonly status: string };

const id = { value: 'ID', about: "The partner's id.", required: true } as const;
const reason = { value: 'R', about: 'Kept in the history.' } as const;
const moved = ({ id, status }: Moved): string => `Partner ${id} is ${status}.`;

export const partnerCommands: readonly CliCommand[] = [
  command<Created>({
    words: ['admin', 'partners', 'create'],
    about: 'Creates a partner, a platform that runs stores.',
    options: {
      name: { value: 'N', about: 'As people read it.', required: true },
      slug: { value: 'S', about: 'Unique: 1–63 of a–z, 0–9 and -.', required: true },
      plan: { value: 'K', about: 'The plan that its new stores start on.', required: true },
    },
    admin: {
      command: 'partners.create',
      input: (typed) => ({ name: typed.one('name'), slug: typed.one('slug'), plan: typed.one('plan') }),
    },
    text: ({ id, slug, planKey }) => `Partner ${slug} on plan ${planKey}: ${id}`,
  }),
  command<List>({
    words: ['admin', 'partners', 'list'],
    about: 'Lists the partners.',
    admin: { command: 'partners.list', input: () => ({}) },
    text: ({ partners, more }) =>
      listText(
        table(
          ['ID', 'SLUG', 'STATUS', 'PLAN', 'NAME'],
          partners.map(({ id, slug, status, planKey, name }) => [id, slug, status, planKey, name]),
          'There are no partners.',
        ),
        more,
      ),
  }),
  command<Moved>({
    words: ['admin', 'partners', 'suspend'],
    about: "Lets the partner's keys only view; its stores go on.",
    options: { id, reason },
    admin: { command: 'partners.suspend', input: (typed) => ({ id: typed.one('id'), reason: typed.one('reason') }) },
    text: moved,
  }),
  command<Moved>({
    words: ['admin', 'partners', 'reinstate'],
    about: 'Ends the suspension of a partner.',
    options: { id },
    admin: { command: 'partners.reinstate', input: (typed) => ({ id: typed.one('id') }) },
    text: moved,
  }),
  command<Appearance>({
    words: ['admin', 'partners', 'appearance'],
    about: 'Sets how the embedded screens of the partner look; shows it when nothing is given.',
    options: {
      id,
      color: { value: '#RRGGBB', about: 'The main colour.' },
      radius: { value: 'PX', about: 'Of corners, 0 to 24 pixels.' },
      font: { value: 'F', about: 'ibm_plex_sans, inter or system.' },
      mode: { value: 'M', about: 'light, dark or auto.' },
    },
    admin: {
      command: 'partners.appearance',
      input: (typed) => ({
        id: typed.one('id'),
        primaryColor: typed.one('color'),
        radius: typed.one('radius'),
        font: typed.one('font'),
        colorMode: typed.one('mode'),
      }),
    },
    text: ({ primaryColor, radius, font, colorMode }) =>
      `Colour ${primaryColor}, radius ${radius} px, font ${font}, ${colorMode}.`,
  }),
];
