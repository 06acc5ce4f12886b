/** Opens the service's pages in the user's browser. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { refuse } from '../../domain/decider.js';
import { UsageError } from '../../service/admin/declaration.js';
import { readServiceCard } from '../../service/folder/serviceCard.js';
import type { Env } from '../../service/settings/environment.js';
import { dataFolderOf } from '../../service/settings/settings.js';
import { suggestionsFor } from '../../service/suggestions.js';
import { type CliCommand, type CliHost, directCommand } from '../command.js';
import { PROFILE_OPTION } from '../remote/apiTarget.js';
import { chosenProfile } from '../remote/profiles.js';

const PAGES = ['home', 'console', 'docs', 'sandbox'] as const;
type Page = (typeof PAGES)[number];

/** Longest wait for what opens a browser, and for the browser to have read the page that leads on, in ms. */
const OPENS_MS = 5_000;
const READS_MS = 3_000;

function pageTyped(typed: string): Page {
  const page = PAGES.find((one) => one === typed);
  if (page !== undefined) return page;
  const near = suggestionsFor(typed, PAGES).map((one) => `; did you mean '${one}'?`);
  throw new UsageError(`unknown page '${typed}'. Available: ${PAGES.join(', ')}${near[0] ?? ''}`);
}

/** Address of a page of the local service, by its card. */
async function localUrl(page: Page, { inService }: CliHost, env: Env): Promise<string> {
  const folder = dataFolderOf(env);
  const card = readServiceCard(folder);
  const { baseUrl, sandboxUrl } = card ?? {};
  if (baseUrl === undefined)
    return refuse(
      'not_running',
      `No service runs on ${folder}. Start it ('suuq start'), or name a remote one with --profile.`,
    );
  if (page === 'sandbox')
    return sandboxUrl ?? refuse('no_sandbox', 'The service on this folder has no sandbox: SUUQ_SANDBOX is off.');
  if (page !== 'console') return page === 'docs' ? `${baseUrl}/docs` : `${baseUrl}/`;
  const made = (await inService?.('console.link', { role: 'operator' })) as { readonly url: string };
  return made.url;
}

/** Program that opens addresses; undefined: there is no desktop. */
function opener(env: Env): readonly [string, ...string[]] | undefined {
  if (env.BROWSER === 'none' || env.CI) return undefined;
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

const opens = ([program, ...before]: readonly [string, ...string[]], address: string): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(program, [...before, address], { timeout: OPENS_MS }, (error) => resolve(error === null));
  });

/** A link that works once is a secret: no argument, but a page of the user's own that leads on. */
async function openedBy(program: readonly [string, ...string[]], url: string): Promise<boolean> {
  if (!url.includes('#')) return opens(program, url);
  const folder = mkdtempSync(join(tmpdir(), 'suuq-open-'));
  const page = join(folder, 'console.html');
  try {
    writeFileSync(page, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">`, { mode: 0o600 });
    const isOpen = await opens(program, pathToFileURL(page).href);
    if (isOpen) await wait(READS_MS);
    return isOpen;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const openCommands: readonly CliCommand[] = [
  directCommand<{ page: Page; url: string; opened: boolean }>({
    words: ['open'],
    about: 'Open or print the address of the home page, console or sandbox.',
    arguments: [{ name: PAGES.join('|'), optional: true }],
    options: { print: { about: 'Print the address without opening it.' }, ...PROFILE_OPTION },
    async direct(typed, host) {
      const { env = {} } = host;
      const page = pageTyped(typed.argument(0) ?? 'home');
      const chosen = chosenProfile(env, typed.one('profile'));
      if (chosen !== undefined && (page === 'console' || page === 'sandbox'))
        throw new UsageError(`the ${page} of a remote service can only be opened there: its operator creates the link`);
      const url =
        chosen === undefined
          ? await localUrl(page, host, env)
          : `${chosen.profile.url}${page === 'docs' ? '/docs' : '/'}`;
      const quiet = typed.one('print') !== undefined || typed.one('json') !== undefined;
      const program = quiet ? undefined : opener(env);
      return { page, url, opened: program !== undefined && (await openedBy(program, url)) };
    },
    text: ({ url, opened }) => (opened ? `Opened ${url.replace(/#.*/, '')}` : url),
  }),
];
