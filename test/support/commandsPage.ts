/** docs/cli.md, written from the declarations of the commands. As a script (`npm run commands`) it writes the file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CliCommand, CliOption } from '../../service/cli/command.js';
import { cliCommands } from '../../service/cli/commands/index.js';
import { flagsOf, topicsOf, valueText } from '../../service/cli/help.js';
import { optionsOf } from '../../service/cli/ownOptions.js';
import { OWN, PROCESSES } from '../../service/cli/words.js';
import { projectFolder } from './serviceProcess.js';

const PAGE = join(projectFolder, 'docs/cli.md');

export const recordedPage = (): string => readFileSync(PAGE, 'utf8');

const HEAD = `# The command line

Every command of \`suuq\` (\`npx suuq\` from a checkout). \`npm run commands\` writes this page from their declarations in \`service/cli\` and
\`service/admin\`, which the parser, the help and the completion are made of too. How they work together is in
[operating](operating.md#the-command-line); a first webhook is in [webhooks](webhooks.md#on-your-own-machine).

Of every command: \`-h\`, \`--help\` shows how it is used; \`--json\` gives one JSON document on stdout, and of an error one on stderr
(\`{"error":{"code","message","problems"}}\`). Exit code 0: done, 1: failed, 2: used wrongly. \`NO_COLOR\` takes colours away.

`;

const cell = (text: string): string => text.replaceAll('|', '\\|');

const argumentText = ({ name, optional }: { name: string; optional?: boolean }): string =>
  optional ? `[${name}]` : `<${name}>`;

function optionRow([name, option]: readonly [string, CliOption]): string {
  const notes = [...(option.required ? ['Required.'] : []), option.about].join(' ');
  return `| \`${cell(`${flagsOf(name, option)}${valueText(option)}`)}\` | ${cell(notes)} |`;
}

function section(command: CliCommand): string {
  const { words, about, arguments: placed = [] } = command;
  const options = Object.entries(optionsOf(command)).filter(([name]) => name !== 'json');
  const line = ['suuq', ...words, ...placed.map(argumentText)].join(' ');
  const table = options.length === 0 ? [] : ['', '| Option | What |', '| --- | --- |', ...options.map(optionRow)];
  return [`### \`${line}\``, '', about, ...table, ''].join('\n');
}

/** The whole page. */
export function commandsPage(): string {
  const own = Object.entries({ ...PROCESSES, ...OWN }).map(([word, about]) => `- \`suuq ${word}\`: ${about}`);
  const topics = topicsOf(cliCommands).map(([title, some]) => `## ${title}\n\n${some.map(section).join('\n')}`);
  return `${HEAD}## Running\n\n${own.join('\n')}\n\n${topics.join('\n')}`.replace(/\n+$/, '\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url) && commandsPage() !== recordedPage()) {
  writeFileSync(PAGE, commandsPage());
  process.stdout.write('docs/cli.md was written\n');
}
