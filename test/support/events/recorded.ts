/**
 * Files recorded from stored events: shapes and samples in test/events, docs/reference/events.md and personal-data.md,
 * and tables of docs/concepts/privacy.md.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../../harness/service/serviceProcess.js';
import { eventStreams, storedEvents } from '../../../service/composition/events.js';
import { schemaPage } from '../../../upkeep/analysis/schema.js';
import { personalDataPage, privacyPage } from '../privacy/page.js';
import { eventsPage } from './page.js';
import { missingSamples, type Samples } from './samples.js';
import { recordedNow, type Shapes } from './shapes.js';

const SHAPES = 'test/events/shapes.json';
export const PAGE = 'docs/reference/events.md';
/** Page about stored personal data. Its prose is written by hand. */
export const PRIVACY = 'docs/concepts/privacy.md';
/** Personal fields of events and read models. */
export const PERSONAL = 'docs/reference/personal-data.md';
/** Tables and columns that `suuq query` may use. */
export const TABLES = 'docs/reference/query-schema.md';

export const readText = (file: string): string => {
  const path = join(projectFolder, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};
const readJson = <T>(file: string): T => JSON.parse(readText(file) || '{}') as T;

/** Formats one entry per line, so that a diff shows which entry changed. */
function asText(entries: Readonly<Record<string, object>>): string {
  const lines = Object.entries(entries).map(([type, of]) => {
    const inner = Array.isArray(of)
      ? `[\n    ${of.map((one) => JSON.stringify(one)).join(',\n    ')}\n  ]`
      : `{\n    ${Object.entries(of)
          .map(([version, shape]) => `"${version}": ${JSON.stringify(shape)}`)
          .join(',\n    ')}\n  }`;
    return `  "${type}": ${inner}`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}

const areas = [...new Set(eventStreams.map(({ area }) => area))];
const samplesFile = (area: string): string => `test/events/samples/${area}.json`;

export const readShapes = (): Shapes => readJson(SHAPES);
export const readSamples = (): Samples =>
  Object.assign({}, ...areas.map((area) => readJson<Samples>(samplesFile(area))));

function samplesOf(area: string, elsewhere: ReadonlySet<string>): Samples {
  const recorded = readJson<Samples>(samplesFile(area));
  const types = eventStreams
    .filter((stream) => stream.area === area)
    .flatMap(({ events }) => Object.keys(events))
    .filter((type) => !elsewhere.has(type));
  return Object.fromEntries(
    [...new Set(types)].map((type) => {
      const known = recorded[type] ?? [];
      return [type, [...known, ...missingSamples(storedEvents[type]!, known)]];
    }),
  );
}

/** Returns the expected content of the files, by path. */
export function recordings(): Readonly<Record<string, string>> {
  const written = new Set<string>();
  const samples = areas.map((area) => {
    const ofArea = samplesOf(area, written);
    for (const type of Object.keys(ofArea)) written.add(type);
    return [samplesFile(area), asText(ofArea)] as const;
  });
  return {
    [SHAPES]: asText(recordedNow(storedEvents, readShapes())),
    ...Object.fromEntries(samples),
    [PAGE]: eventsPage(eventStreams),
    [TABLES]: schemaPage(),
    [PRIVACY]: privacyPage(readText(PRIVACY)),
    [PERSONAL]: personalDataPage(readSamples()),
  };
}
