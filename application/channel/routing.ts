/** Routing of chats to teams: the introduction that a first message needs, and the menu for the customer. */
import { members, type People } from '../../domain/access/members.js';
import { teamNameKey } from '../../domain/access/teams.js';
import type { Contact, ContactLanguage, InboundContent } from '../../domain/channel/conversationEvents.js';
import { contactIdOf } from '../../domain/channel/conversationIds.js';
import { type RoutingMenu, type RoutingTerms, teamOption } from '../../domain/channel/conversationRouting.js';
import { derivedId } from '../../domain/ids.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Clock } from '../../engine/ports/clock.js';
import { text } from '../texts/texts.js';
import { languageOf } from './contacts.js';

/** Time in which the customer may choose. */
const CHOICE_MS = 5 * 60_000;
/** The channel's limits of buttons and list rows, and of their titles in characters. (shared reference: 'Outbound'.) */
const BUTTONS = { most: 3, title: 20 };
const ROWS = { most: 10, title: 24 };

export interface TeamChoice {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
}

/** Returns the default team first, then the others by name. */
export const teamChoices = ({ teams }: People): TeamChoice[] =>
  [...teams.values()]
    .map(({ id, name, isDefault }) => ({ id, name, isDefault }))
    .sort((a, b) => Number(b.isDefault) - Number(a.isDefault) || compare(teamNameKey(a.name), teamNameKey(b.name)));

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Team for chats without a choice. Undefined if there are no teams. */
export const defaultTeamOf = (people: People): string | undefined =>
  teamChoices(people).find((team) => team.isDefault)?.id;

function cut(name: string, most: number): string {
  const characters = [...name];
  return characters.length <= most ? name : `${characters.slice(0, most - 1).join('')}…`;
}

/** Returns unique names that the channel can show. Names that are equal after truncation are numbered. */
function titles(names: readonly string[], most: number): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let title = cut(name, most);
    for (let count = 2; taken.has(title); count += 1) title = `${cut(name, most - String(count).length - 1)} ${count}`;
    taken.add(title);
    return title;
  });
}

/** Buttons for up to three teams, otherwise a list of the first ten. */
export function routingMenu(teams: readonly TeamChoice[], language: ContactLanguage): RoutingMenu['content'] {
  const isList = teams.length > BUTTONS.most;
  const { most, title } = isList ? ROWS : BUTTONS;
  const shown = teams.slice(0, most);
  const named = titles(
    shown.map(({ name }) => name),
    title,
  );
  return {
    type: 'menu',
    text: text(language, 'routing.question'),
    options: shown.map(({ id }, index) => ({ id: teamOption(id), title: named[index]! })),
    ...(isList ? { listButton: text(language, 'routing.listButton') } : {}),
  };
}

/** Contact and routing terms for a new chat, or for the start of its routing. */
export interface Introduction {
  readonly contact: Contact;
  readonly routing: RoutingTerms;
}

export interface Introduced {
  readonly workspaceId: string;
  readonly conversationId: string;
  /** Key of the customer. */
  readonly key: string;
  /** The channel's id of the first message. */
  readonly firstMessage: string;
  readonly contents: readonly { readonly type: string }[];
  /** Language of a known contact. */
  readonly language: ContactLanguage | undefined;
}

function firstText(contents: Introduced['contents']): string | undefined {
  for (const content of contents as readonly InboundContent[]) {
    if (content.type === 'text' && content.text !== '') return content.text;
    if ('caption' in content && content.caption !== undefined) return content.caption;
  }
  return undefined;
}

export interface IntroductionDependencies {
  readonly commands: CommandHandler;
  readonly clock: Clock;
  /** The store's language, and whether it is open: a store that is not open sends no menus. Undefined: there is no such store. */
  readonly storeOf: (workspaceId: string) => Promise<{ locale: ContactLanguage; open: boolean } | undefined>;
}

/** Reads teams from the store's own stream, which is cached for active stores, and never from a read model, which may lag. */
export function createIntroductions({ commands, clock, storeOf }: IntroductionDependencies) {
  return async (about: Introduced): Promise<Introduction> => {
    const { workspaceId, conversationId, firstMessage, contents } = about;
    const teams = await commands.query(members, workspaceId, teamChoices);
    const { locale, open } = (await storeOf(workspaceId)) ?? { locale: 'en', open: false };
    const language = about.language ?? languageOf(firstText(contents), locale);
    return {
      contact: { contactId: contactIdOf(workspaceId, about.key), language },
      routing: {
        teamIds: teams.map(({ id }) => id),
        defaultTeamId: teams.find(({ isDefault }) => isDefault)?.id,
        menu: open
          ? { messageId: derivedId('routingMenu', conversationId, firstMessage), content: routingMenu(teams, language) }
          : undefined,
        deadline: new Date(clock.now() + CHOICE_MS).toISOString(),
      },
    };
  };
}

export type Introduce = ReturnType<typeof createIntroductions>;
