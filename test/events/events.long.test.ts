/** Stored events are a contract: their declarations, recorded shapes and samples, and documentation page agree. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { OneOf, Type } from '../../domain/schema.js';
import { defineEvents, event, Maybe, Shape, Text, Whole } from '../../domain/storedEvents.js';
import { eventStreams, storedEvents } from '../../service/composition/events.js';
import { PAGE, readSamples, readShapes, readText, recordings, TABLES } from '../support/events/recorded.js';
import { missingSamples, readToday } from '../support/events/samples.js';
import { changedShapes, recordedNow } from '../support/events/shapes.js';
import { checkData, invalid } from '../support/events/validity.js';
import { projectFolder } from '../../harness/service/serviceProcess.js';

const shapes = readShapes();
const samples = readSamples();

describe('stored events', () => {
  it('have kept their shapes', () => expect(changedShapes(storedEvents, shapes)).to.deep.equal([]));

  it('match the page that describes them', () =>
    expect(readText(PAGE), 'npm run events writes it anew').to.equal(recordings()[PAGE]));

  it('match the page with their tables for SQL', () =>
    expect(readText(TABLES), 'npm run events writes it anew').to.equal(recordings()[TABLES]));

  it('are declared with a schema, all of them', () => {
    const files = ['domain', 'engine'].flatMap((floor) =>
      readdirSync(join(projectFolder, floor), { recursive: true, encoding: 'utf8' }).map((file) => join(floor, file)),
    );
    const byHand = files
      .filter((file) => file.endsWith('.ts'))
      .filter((file) => /DomainEvent<\s*'/.test(readFileSync(join(projectFolder, file), 'utf8')));
    expect(byHand).to.deep.equal([]);
    const declared = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => readFileSync(join(projectFolder, file), 'utf8').match(/^ {2}[A-Z]\w+(?=: event\()/gm) ?? []);
    expect(declared.map((line) => line.trim()).filter((type) => storedEvents[type] === undefined)).to.deep.equal([]);
  });

  it('have the same meaning if one type is in two kinds of streams', () => {
    const all = eventStreams.flatMap(({ events }) => Object.entries(events));
    expect(all.filter(([type, definition]) => storedEvents[type] !== definition)).to.deep.equal([]);
  });

  it('load nothing of typebox at runtime', () => {
    const compiled = ['personalFields.js', 'schema.js', 'storedEvents.js'].map((file) => join(projectFolder, 'dist/domain', file));
    for (const file of compiled) expect(readFileSync(file, 'utf8')).to.not.match(/from 'typebox'|import\('typebox'\)/);
  });
});

describe('recorded samples of stored events', () => {
  for (const [type, versions] of Object.entries(shapes))
    it(`are valid and readable: ${type}`, () => {
      const recorded = samples[type] ?? [];
      for (const [version, shape] of Object.entries(versions)) {
        const ofVersion = recorded.filter((sample) => sample.version === Number(version));
        expect(ofVersion, `record a sample of version ${version} with npm run events`).to.not.deep.equal([]);
        for (const { data } of ofVersion) expect(invalid(shape, data)).to.equal(undefined);
      }
      const today = storedEvents[type]!.data;
      for (const sample of recorded) expect(invalid(today, readToday(storedEvents, type, sample))).to.equal(undefined);
    });

  it('cover each optional field present and absent, and each variant of a field', () => {
    const missing = Object.entries(storedEvents).filter(
      ([type, definition]) => missingSamples(definition, samples[type] ?? []).length > 0,
    );
    expect(missing.map(([type]) => `${type}: record what is missing with npm run events`)).to.deep.equal([]);
  });
});

describe('a change of a stored shape', () => {
  const fields = {
    amountCents: Whole(),
    how: OneOf('cash', 'wallet'),
    lines: Type.Array(Shape('Line', { name: Text(), size: Maybe(Text()) })),
    note: Maybe(Text()),
  };
  const before = defineEvents({ VoucherIssued: event('A voucher is sold.', fields) });
  const recorded = recordedNow(before, {});
  const changed = (now: Parameters<typeof event>[1], isRecording = false) =>
    changedShapes({ VoucherIssued: event('A voucher is sold.', now) }, recorded, isRecording);
  const sentence = (what: string) => [
    `VoucherIssued's stored shape changed (${what}). Stored events are for ever: add the field as optional and record it ` +
      'with `npm run events`, or raise its version, add an upcaster and record a sample.',
  ];
  const { note: _, ...noteless } = fields;
  const lines = (line: Parameters<typeof event>[1]) => ({ ...fields, lines: Type.Array(Type.Object(line)) });

  it('is not reported if only descriptions changed', () => {
    expect(changed({ ...fields, note: Maybe(Text('In words for the customer.')) })).to.deep.equal([]);
    expect(changed({ note: fields.note, ...noteless })).to.deep.equal([]);
  });

  for (const [title, now, what] of [
    ['removes a field', noteless, "'note' is gone"],
    ['renames a field', { ...noteless, remark: Maybe(Text()) }, "'note' is gone"],
    ['changes the type of a field', { ...fields, amountCents: Text() }, "'amountCents' is of another type"],
    ['makes a field required', { ...fields, note: Text() }, "'note' was optional and is required"],
    ['adds a field that is required', { ...fields, code: Text() }, "'code' is new and required"],
    ['removes a value', { ...fields, how: OneOf('cash') }, `'how' cannot be "wallet" any more`],
    ['allows fewer strings', { ...fields, note: Maybe(OneOf('a')) }, `'note' cannot be "any text" any more`],
    ['changes a nested field', lines({ name: Text(), size: Text() }), "'lines[].size' was optional and is required"],
  ] as const)
    it(`fails, and is not recorded, when it ${title}`, () => {
      expect(changed(now)).to.deep.equal(sentence(what));
      expect(changed(now, true)).to.deep.equal(sentence(what));
    });

  for (const [title, now] of [
    ['an optional field', { ...fields, code: Maybe(Text()) }],
    ['an optional nested field', lines({ name: Text(), size: Maybe(Text()), color: Maybe(Text()) })],
    ['a value', { ...fields, how: OneOf('cash', 'wallet', 'card') }],
    ['another shape', { ...fields, amountCents: Type.Union([Whole(), Type.Null()]) }],
    ['the option to omit a required field', { ...fields, how: Maybe(fields.how) }],
  ] as const)
    it(`fails until it is recorded, and is recorded, when it adds ${title}`, () => {
      expect(changed(now)).to.deep.equal(sentence('it can hold more'));
      expect(changed(now, true)).to.deep.equal([]);
    });

  it('is accepted with a new version once recorded, and keeps the previous shape', () => {
    const now = defineEvents({
      VoucherIssued: event(
        'A voucher is sold.',
        { cents: Whole() },
        { version: 2, upcast: { 1: (data) => ({ cents: (data as { amountCents: number }).amountCents }) } },
      ),
    });
    expect(changedShapes(now, recorded)).to.deep.equal([
      'Version 2 of VoucherIssued is not recorded yet: record it with `npm run events`.',
    ]);
    const fresh = recordedNow(now, recorded);
    expect(changedShapes(now, fresh)).to.deep.equal([]);
    expect(fresh.VoucherIssued!['1']).to.deep.equal(recorded.VoucherIssued!['1']);
    expect(changedShapes(before, fresh)).to.deep.equal([
      'VoucherIssued is stored in a version above 1 already: a version is never taken back.',
    ]);
    const [sample] = missingSamples(before.VoucherIssued, []);
    expect(readToday(now, 'VoucherIssued', sample!)).to.deep.equal({ cents: 1250 });
  });

  it('cannot make an event disappear', () =>
    expect(changedShapes({}, recorded, true)).to.deep.equal([
      'VoucherIssued is stored, but not declared any more. Stored events are for ever: declare it again.',
    ]));

  it('requires samples only for what is new', () => {
    const known = missingSamples(before.VoucherIssued, []);
    const now = event('A voucher is sold.', { ...fields, code: Maybe(Text()) });
    const added = missingSamples(now, known);
    expect(added).to.have.length(1);
    expect(added[0]!.data).to.have.property('code');
  });
});

describe('events appended by tests', () => {
  it('are validated against their schema, without additional fields', () => {
    const { NumberListDeleted } = storedEvents;
    expect(() => checkData('NumberListDeleted', NumberListDeleted!, { name: 'VIP' })).to.not.throw();
    expect(() => checkData('NumberListDeleted', NumberListDeleted!, { name: 'VIP', by: 'x' })).to.throw(
      'NumberListDeleted was appended with data that its schema does not know: data must NOT have additional properties. ' +
        'Mend one of the two.',
    );
  });
});
