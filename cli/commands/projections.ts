/** Projections over the real history, for their developers: nothing is written, and the service may run. */
import { resolve } from 'node:path';
import type { Difference } from '../../application/history/differences.js';
import { defined } from '../../domain/defined.js';
import { UsageError } from '../../service/admin/declaration.js';
import { count, facts, type Shown, table } from '../../service/admin/text.js';
import type { DiffResult } from '../../upkeep/projections/diffProjection.js';
import type { EventPlace } from '../../upkeep/projections/trial.js';
import type { TryResult } from '../../upkeep/projections/tryProjection.js';
import { type CliCommand, directCommand, type Typed } from '../command.js';
import { upkeepShown } from '../progress.js';
import { timeOptionMs } from '../timeOption.js';

const SECONDS = 60;
const MOST_SECONDS = 3600;
const WIDTH = 200;

const cut = (value: unknown): string => {
  const text = value === undefined ? '' : JSON.stringify(value);
  return text.length <= WIDTH ? text : `${text.slice(0, WIDTH - 1)}…`;
};
const placeText = ({ type, id, stream, revision, position }: EventPlace): string =>
  `${type} ${id} (${stream}, revision ${revision}, position ${position})`;
const changeText = ({ path, was, is }: Difference): string => `    ${path}: ${cut(was) || '—'} → ${cut(is) || '—'}`;

function stepsText({ steps = [], stepCount = 0 }: TryResult): Shown[] {
  const lines = steps.flatMap((step) => [`  ${step.at}  ${step.type}  ${step.id}`, ...step.changes.map(changeText)]);
  const more = stepCount > steps.length ? [`  … and ${count(stepCount - steps.length)} more`] : [];
  return steps.length === 0 ? [] : ['', 'Step by step:', ...lines, ...more];
}

function tryText(result: TryResult): Shown {
  const { projection, events, eventsPerSecond, handled, documents, samples, poison, poisonCount, lost, ended } = result;
  const { position, head, unstable } = result;
  return [
    facts({
      projection: `${projection.name}, version ${projection.version}`,
      events: `${count(events)} read, ${count(handled)} handled, up to position ${position} of ${head}`,
      'events/s': count(eventsPerSecond),
      documents: count(documents),
      poison: poisonCount === 0 ? 'none' : count(poisonCount),
    }),
    ...(ended === undefined
      ? []
      : [
          '',
          `Ended (${ended.why}): ${ended.what}`,
          ...(ended.event === undefined ? [] : [`  ${placeText(ended.event)}`]),
          ...(unstable?.changes.map(changeText) ?? []),
        ]),
    ...(poison.length === 0
      ? []
      : [
          '',
          table(
            ['EVENT', 'ERROR'],
            poison.map((one) => [placeText(one), one.error]),
            '',
          ),
        ]),
    ...lost.map(({ id, path }) => `${id}: ${path} cannot be represented in JSON, so it changes when it is stored.`),
    ...(samples.length === 0
      ? []
      : [
          '',
          table(
            ['DOCUMENT', 'KEYS', 'BODY'],
            samples.map(({ id, keys, body }) => [id, cut(keys), cut(body)]),
            '',
          ),
        ]),
    ...stepsText(result),
    '',
    'Nothing was written.',
  ];
}

function diffText(result: DiffResult): Shown {
  const { projection, equal, added, gone, changed, moving, documents, poison, position } = result;
  const { name, version, storedVersion } = projection;
  return [
    `${name}: version ${storedVersion} is stored, this release builds version ${version}; compared at position ${position}.`,
    facts({
      equal: count(equal),
      added: count(added),
      gone: count(gone),
      changed: count(changed),
      moving: moving === 0 ? undefined : count(moving),
    }),
    ...documents.flatMap(({ id, kind, changes = [] }) => [`${kind.padEnd(7)}  ${id}`, ...changes.map(changeText)]),
    ...(added + gone + changed > documents.length ? ['… and more of them.'] : []),
    ...(poison === undefined
      ? []
      : [`It stopped at position ${poison.position} (${poison.type} ${poison.eventId}): ${poison.error}`]),
  ];
}

function secondsOf(typed: Typed): number {
  const text = typed.one('seconds');
  const seconds = text === undefined ? SECONDS : Number(text);
  if (seconds >= 1 && seconds <= MOST_SECONDS) return seconds;
  throw new UsageError(`--seconds must be from 1 to ${MOST_SECONDS}`);
}

export const projectionCommands: readonly CliCommand[] = [
  directCommand<TryResult>({
    words: ['projections', 'try'],
    about: "Try a projection's file on the real history. Writes nothing.",
    arguments: [{ name: 'file' }],
    options: {
      projection: { value: 'NAME', about: 'Projection to try, if the file exports several.' },
      from: { value: 'TIME', about: 'Only events at or after this time.' },
      to: { value: 'TIME', about: 'Only events before this time.' },
      store: { value: 'ID', about: "Only this store's events." },
      document: { value: 'ID', about: 'Show each change of this document.' },
      seconds: { value: 'N', about: `Time limit in seconds; prints the result so far. Default: ${SECONDS}.` },
    },
    direct(typed, host, terminal) {
      const requested = {
        file: resolve(typed.argument(0)!),
        seconds: secondsOf(typed),
        ...defined({
          projection: typed.one('projection'),
          from: timeOptionMs(typed, 'from'),
          to: timeOptionMs(typed, 'to'),
          store: typed.one('store')?.toLowerCase(),
          document: typed.one('document'),
        }),
      };
      return upkeepShown(host, terminal, (upkeep, report) => upkeep.tryProjection(requested, report));
    },
    text: tryText,
    failed: ({ poisonCount, ended }) => poisonCount > 0 || (ended !== undefined && ended.why !== 'time'),
  }),
  directCommand<DiffResult>({
    words: ['projections', 'diff'],
    about: 'Compare a read model with a fresh fold. Changes nothing.',
    arguments: [{ name: 'name' }],
    direct: (typed, host, terminal) =>
      upkeepShown(host, terminal, (upkeep, report) => upkeep.diffProjection(typed.argument(0)!, report)),
    text: diffText,
    failed: ({ added, gone, changed, poison }) => added + gone + changed > 0 || poison !== undefined,
  }),
];
