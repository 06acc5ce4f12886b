/** Which team a chat goes to: what its first message needs to know, and the menu that asks the customer. */
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

/** So long the customer may choose. */
const CHOICE_MS = 5 * 60_000;
/** The channel shows so many buttons, and so many rows of a list; titles of so many characters. (shared reference: 'Outbound'.) */
const BUTTONS = { most: 3, title: 20 };
const ROWS = { most: 10, title: 24 };

export interface TeamChoice {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
}

/** The default team first, then by name. */
export const teamChoices = ({ teams }: People): TeamChoice[] =>
  [...teams.values()]
    .map(({ id, name, isDefault }) => ({ id, name, isDefault }))
    .sort((a, b) => Number(b.isDefault) - Number(a.isDefault) || compare(teamNameKey(a.name), teamNameKey(b.name)));

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The team that has what nobody chose; undefined where there are no teams. */
export const defaultTeamOf = (people: People): string | undefined =>
  teamChoices(people).find((team) => team.isDefault)?.id;

function cut(name: string, most: number): string {
  const characters = [...name];
  return characters.length <= most ? name : `${characters.slice(0, most - 1).join('')}…`;
}

/** Names as the channel can show them, each of its own: those that are alike when cut are numbered. */
function titles(names: readonly string[], most: number): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let title = cut(name, most);
    for (let count = 2; taken.has(title); count += 1) title = `${cut(name, most - String(count).length - 1)} ${count}`;
    taken.add(title);
    return title;
  });
}

/** Buttons for up to three teams, else a list of the first ten. */
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

/** What stands at the beginning of a chat, or of its routing. */
export interface Introduction {
  readonly contact: Contact;
  readonly routing: RoutingTerms;
}

export interface Introduced {
  readonly workspaceId: string;
  readonly conversationId: string;
  /** The customer's. */
  readonly key: string;
  /** The channel's id of the first message that is introduced. */
  readonly firstMessage: string;
  readonly contents: readonly { readonly type: string }[];
  /** Of a contact who is known already. */
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
  /** The store's language, and whether it is open: one that is not sends no menus. Undefined: there is no such store. */
  readonly storeOf: (workspaceId: string) => Promise<{ locale: ContactLanguage; open: boolean } | undefined>;
}

/** Teams come from the store's own stream, which is warm where it matters; never from a read model, which may be late. */
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
