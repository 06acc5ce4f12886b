// Checks the style guide in CONTRIBUTING.md: how a doc comment begins, and words that have a plainer one in comments, in titles of tests,
// in names and in names of files. A part of `npm run lint`. Reports each finding with its line and fails if there is one.
//
//   node scripts/checkEnglish.mjs              check every folder
//   node scripts/checkEnglish.mjs FOLDER…      check these folders
import { readdirSync, readFileSync } from 'node:fs';

const FOLDERS =
  'api application bench bin cli client console domain engine examples harness infrastructure projections scripts service site test tools upkeep'.split(
    ' ',
  );

/** Words that no doc comment begins with: the reader would have to guess its subject. */
const FIRST = /^(What|Of|Whether|Who|That|By|Where)\b/;
/** Words that have a plainer one in the field. */
const WORDS =
  /\b(told|tells?|telling|said|says?|owe[sd]?|owing|asked|asks?|asking|stands?|stood|standing|held|kept|remembered|remembers?|parted|parting|beside|anew|whoever|whatever it|of before)\b/gi;
/** The same in titles of tests. */
const TITLE_WORDS =
  /\b(told|tells?|said|says?|owe[sd]?|owing|stands?|stood|standing|held|remembered|remembers?|parted|beside|anew|whoever|meanwhile|of before|in clear|goes on|go on)\b/gi;
const TITLE = /^ *(?:it|describe)\(\s*(['"`])(.*?)\1,/gm;

/** The same for the parts of a name. */
const NAME_WORDS =
  /^(told|tells?|telling|said|says?|saying|owe[sd]?|owing|asked|asks?|asking|stands?|stood|standing|held|kept|keeps?|keepers?|keeping|remember(s|ed|ing)?|parted|parting|beside|anew|whose|whoever|meant|begun|given|wanted|looks?|looked|looking)$/i;
/**
 * Names that stay, by file: stored, sent or public ones, and values in modules whose text is fingerprinted for projections. Tests write
 * `given(…)`, as specifications do.
 */
const NAMES_ALLOWED = {
  'api/console/contract/machine.ts': 'owed',
  'application/catalog/catalogPush.ts': 'CatalogChecksBegun',
  'application/catalog/pushTasks.ts': 'begun',
  'application/files/filesProcessor.ts': 'ContentKept',
  'application/webhooks/endpoints.ts': 'keepPreviousHours',
  'bench/support/report.ts': 'beside',
  'console/src/api/openapi.ts': 'keepPreviousHours',
  'domain/numberLists/numberList.ts': 'standing',
  'domain/orders/order.ts': 'asksLocation told',
  'domain/orders/paymentState.ts': 'begunAt standing',
  'domain/personalFields.ts': 'whose',
  'domain/templates/definitionRules.ts': 'isAsAsked',
  'domain/templates/template.ts': 'standing',
  'domain/webhooks/webhookEndpoint.ts': 'isStanding standing',
  'engine/processors/processorStops.ts': 'owed',
  'engine/projections/status.ts': 'keepsBuilds',
  'infrastructure/sandbox/payments.ts': 'asked',
  'projections/messageContents.ts': 'inboundSaid outboundSaid',
  'upkeep/streams/eventPages.ts': 'EventsAsked',
  'test/api/edgesOfFields.long.test.ts': 'keepPreviousHours',
  // Samples for the test of this script.
  'test/package/conventions.test.ts': 'asked kept owed said told',
};
/** Files whose names stay: the language of specifications, and the script that stores a data folder of a release. */
const FILES_ALLOWED = /^test\/support\/(spec\/given\w*|releases\/(keep|keptRelease))\.ts$/;
const isAllowed = (file, name) =>
  /^lookUp$/.test(name) || /^test\/support\/spec\//.test(file) || (NAMES_ALLOWED[file] ?? '').split(' ').includes(name);
/** Declarations of exports, and of members of interfaces and classes. */
const DECLARATIONS = [
  /^export (?:abstract |async |declare )*(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm,
  /\breadonly #?(\w+)\??(?:: | = |;)/g,
  /^ +(?:static |override |protected |private |async |get |set |\*)*#?(\w+)\??(?:<[^>\n]*>)?\([^\n]*\)(?:(?:: [^\n]*)? \{|: [^\n]*;)$/gm,
  /^ {2,4}(?:static |override |protected |private )*#?(\w+)\??: [^,\n]*;$/gm,
];

/** Declarations of local names and of parameters. `given` is a plain word for a caller's value. */
const LOCAL_DECLARATIONS = [
  /^ *(?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm,
  /\bfor (?:await )?\((?:const|let) (\w+)/g,
  // Parameters with a type, a parameter of an arrow function without one, the rest of a pattern, and a member under another name.
  /[(,] (?:readonly |private )?(\w+)\??: [A-Z(]/g,
  /\((?:readonly |private |\.\.\.)?(\w+)\??: /g,
  /\b(\w+)(?:, \w+)?\)? =>/g,
  /\.\.\.(\w+)(?= \}[:,)]| \} (?:=|of) )/g,
  /\b\w+: (\w+)(?=[^\n]{0,90} \}(?:: [\w<>[\], ]{1,60})?(?:\) =>|\) \{| = | of ))/g,
];

/** Names in declarations with the line of each. */
function* declared(text) {
  const lineOf = ({ index }) => text.slice(0, index).split('\n').length;
  for (const pattern of DECLARATIONS)
    for (const match of text.matchAll(pattern)) yield { line: lineOf(match), name: match[1] };
  for (const pattern of LOCAL_DECLARATIONS)
    for (const match of text.matchAll(pattern))
      if (!/given/i.test(match[1])) yield { line: lineOf(match), name: match[1] };
}

const isPlain = (name) => !name.split(/(?=[A-Z])|_/).some((part) => NAME_WORDS.test(part));

const sources = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs|cjs)$/.test(entry.name) && !/generated/.test(entry.name))
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`)
    .filter((file) => !/node_modules|\/dist\//.test(file));

/** Comments of a file with the line each begins at. Text in strings that looks like one counts too, which is rare. */
function* comments(text) {
  for (const match of text.matchAll(/(^|[\s;{(,])(\/\*\*?[\s\S]*?\*\/|\/\/ [^\n]*)/g)) {
    const line = text.slice(0, match.index + match[1].length).split('\n').length;
    const words = match[2].replace(/^\/\*\*?|\*\/$|^\/\/ /g, '').replace(/\n\s*\* ?/g, ' ');
    yield { line, isDoc: match[2].startsWith('/**'), words: words.replace(/`[^`]*`|'[^' ]*'|"[^"]*"/g, '`…`').trim() };
  }
}

function* titleFindings(file, text) {
  for (const { 2: title, index } of text.matchAll(TITLE))
    for (const [word] of title.replace(/\$\{[^}]*\}/g, '…').matchAll(TITLE_WORDS))
      yield `${file}:${text.slice(0, index).split('\n').length}: '${word}' in a title`;
}

function* findings(file) {
  const text = readFileSync(file, 'utf8');
  const [noun] = file.split('/').at(-1).split('.');
  if (!isPlain(noun) && !FILES_ALLOWED.test(file)) yield `${file}: name of the file`;
  if (/\.tsx?$/.test(file))
    for (const { line, name } of declared(text))
      if (!isPlain(name) && !isAllowed(file, name)) yield `${file}:${line}: name '${name}'`;
  if (file.startsWith('test/')) yield* titleFindings(file, text);
  for (const { line, isDoc, words } of comments(text)) {
    if (isDoc && FIRST.test(words)) yield `${file}:${line}: begins with '${words.split(' ')[0]}'`;
    for (const [word] of words.matchAll(WORDS)) yield `${file}:${line}: '${word}'`;
  }
}

const given = process.argv.slice(2);
const found = (given.length > 0 ? given : FOLDERS).flatMap(sources).flatMap((file) => [...findings(file)]);
for (const line of found) console.error(line);
if (found.length > 0) {
  console.error(`${found.length} comments, words or names break the style guide (CONTRIBUTING.md, 'Write').`);
  process.exitCode = 1;
}
