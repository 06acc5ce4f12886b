/** Every free-form value in a stored event is marked as belonging to a person or to nobody. */
import { expect } from 'chai';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import type { OrderEvent } from '../../domain/orders/orderEvents.js';
import { type PersonalField, personalFields, personalKinds, undecidedFields } from '../../domain/personalFields.js';
import { Type } from '../../domain/schema.js';
import {
  AnyFields,
  Changes,
  Code,
  Decimal,
  defineEvents,
  Either,
  event,
  Id,
  Label,
  List,
  Maybe,
  Personal,
  Shape,
  Some,
  Text,
  Time,
  Whole,
} from '../../domain/storedEvents.js';
import { defineProjection } from '../../engine/projections/projection.js';
import { projections } from '../../projections/index.js';
import { eventStreams, storedEvents } from '../../service/composition/events.js';
import { PERSONAL, PRIVACY, readSamples, readText, recordings } from '../support/events/recorded.js';
import { changedShapes, recordedNow } from '../support/events/shapes.js';
import { traced } from '../support/privacy/tracing.js';

const ADVICE =
  'say of each whether it tells of a person: Personal(kind, Text()) if it does, Id(), Code() or Label() if it cannot (domain/personalFields.ts)';
const all = Object.entries(storedEvents);
const fieldsOf = (type: string): readonly PersonalField[] => personalFields(storedEvents[type]!.data);

describe('personal-data markers', () => {
  it('are on every field that can contain free text', () =>
    expect(
      all.flatMap(([type, { data }]) => undecidedFields(data).map((path) => `${type}.${path}`)),
      ADVICE,
    ).to.deep.equal([]));

  it('are of documented kinds', () => {
    const kinds = new Set(all.flatMap(([type]) => fieldsOf(type)).map(({ kind }) => kind));
    expect([...kinds].sort()).to.deep.equal(Object.keys(personalKinds).sort());
  });

  it('include the data subject', () =>
    expect(
      all.filter(([type, { subject }]) => subject === undefined && fieldsOf(type).length > 0).map(([type]) => type),
      "give the event, or defineEvents, a subject: '{ subject: … }'",
    ).to.deep.equal([]));

  it('identify the subject by a field that every such event has', () => {
    const wrong = all.filter(([, { data, subject }]) => {
      if (typeof subject !== 'object') return false;
      const [field] = Object.values(subject) as [string];
      return !((data as { required?: readonly string[] }).required ?? []).includes(field);
    });
    expect(wrong.map(([type]) => type)).to.deep.equal([]);
  });

  it('cover everything known of a customer who ordered', () =>
    expect([
      ...fieldsOf('OrderPlaced'),
      ...fieldsOf('OrderCheckedOut'),
      ...fieldsOf('OrderLocationShared'),
      ...fieldsOf('OrderPaymentRequested'),
    ]).to.deep.equal([
      { path: 'customerPhone', kind: 'phone' },
      { path: 'customerName', kind: 'name' },
      { path: 'conversationId', kind: 'derivedId' },
      { path: 'customerNote', kind: 'text' },
      { path: 'deliveryArea', kind: 'address' },
      { path: 'deliveryAreaId', kind: 'address' },
      { path: 'customerName', kind: 'name' },
      { path: 'contactPhone', kind: 'phone' },
      { path: 'address', kind: 'address' },
      { path: 'latitude', kind: 'place' },
      { path: 'longitude', kind: 'place' },
      { path: 'payer', kind: 'account' },
    ]));
});

describe('a field of an event', () => {
  const line = Shape('Line', { who: Text(), where: Personal('address', Text()) });
  const undecided = (fields: Parameters<typeof event>[1]) => undecidedFields(event('It happens.', fields).data);

  for (const [title, fields, paths] of [
    ['a text', { note: Text() }, ['note']],
    ['an optional text', { note: Maybe(Text()) }, ['note']],
    ['texts', { notes: List(Text()) }, ['notes[]']],
    ['free JSON', { answers: AnyFields() }, ['answers']],
    ['anything', { value: Type.Unknown() }, ['value']],
    ['a number with a fraction', { latitude: Decimal() }, ['latitude']],
    ['a text in a list of shapes', { lines: List(line) }, ['lines[].who']],
    ['a text in one of several shapes', { of: Either(line, Type.Object({ b: Text() })) }, ['of.who', 'of.b']],
    ['a text among changes', { changes: Changes(line), before: Some(line) }, ['changes.who', 'before.who']],
  ] as const)
    it(`requires a decision when it is ${title}`, () => expect(undecided(fields)).to.deep.equal(paths));

  it('is decided by its marker, and needs none if it cannot identify anybody', () =>
    expect(
      undecided({
        id: Id('Of a thing.'),
        code: Maybe(Code()),
        name: Label(),
        phone: Maybe(Personal('phone', Text()), 'Of the customer.'),
        answers: Personal('text', AnyFields()),
        at: Time(),
        count: Whole(),
        kind: Type.Literal('x'),
        nothing: Type.Object({}),
      }),
    ).to.deep.equal([]));

  it('keeps its marker through lists, unions, changes and optional fields', () =>
    expect(
      personalFields(
        event('It happens.', {
          phones: List(Personal('phone', Text())),
          changes: Changes(Shape('Profile', { email: Personal('email', Text()) })),
          content: Either(line, Type.Object({ where: Maybe(Personal('address', Text())) })),
        }).data,
      ),
    ).to.deep.equal([
      { path: 'phones[]', kind: 'phone' },
      { path: 'changes.email', kind: 'email' },
      { path: 'content.where', kind: 'address' },
    ]));

  it('has the same stored shape with and without a marker', () => {
    const recorded = recordedNow(defineEvents({ Told: event('It is told.', { who: Text(), what: Text() }) }), {});
    const marked = defineEvents(
      { Told: event('It is told.', { who: Personal('name', Text()), what: Label() }) },
      'stream',
    );
    expect(changedShapes(marked, recorded)).to.deep.equal([]);
  });
});

describe('the subject of an event', () => {
  it('is that of its stream unless it names another', () => {
    const events = defineEvents(
      { A: event('a', { id: Id() }), B: event('b', { id: Id() }, { subject: { member: 'id' } }) },
      'stream',
    );
    expect([events.A.subject, events.B.subject]).to.deep.equal(['stream', { member: 'id' }]);
  });
});

describe('personal data in read models', () => {
  const samples = readSamples();

  it('is documented correctly, like that in events', () =>
    [PRIVACY, PERSONAL].forEach((page) => {
      expect(readText(page), `npm run events writes ${page}`).to.equal(recordings()[page]);
    }));

  it('is known for each event that they apply', () =>
    expect(
      projections.flatMap((one) => traced(one, eventStreams, samples).failed.map((type) => `${one.name}: ${type}`)),
    ).to.deep.equal([]));

  it('is found in ids, keys, member names and within other texts', () => {
    const curious = defineProjection<object, OrderEvent | ConversationEvent>({
      name: 'curious',
      version: 1,
      categories: ['order', 'conversation'],
      keys: { phone: 'text' },
      indexes: [],
      on: {
        OrderPlaced: {
          ids: ({ data }) => [`of ${data.customerPhone}`],
          evolve: (_, { data, meta }) => {
            const { customerName = '', customerPhone: phone } = data;
            return { keys: { phone: phone.slice(1) }, body: { [phone]: `Dear ${customerName}`, by: meta.actor.id } };
          },
        },
        OrderLocationShared: (_, { data }) => ({ keys: {}, body: { ...data } }),
        ConversationPinned: (_, { streamId }) => ({ keys: {}, body: { streamId } }),
      },
    });
    expect(traced(curious, eventStreams, samples)).to.deep.equal({
      places: [
        { path: 'body.*', kinds: ['name'] },
        { path: 'body.* (the key)', kinds: ['phone'] },
        { path: 'body.by', kinds: ['userId'] },
        { path: 'body.latitude', kinds: ['place'] },
        { path: 'body.longitude', kinds: ['place'] },
        { path: 'body.streamId', kinds: ['derivedId'] },
        { path: 'id', kinds: ['derivedId', 'phone'] },
        { path: 'keys.phone', kinds: ['phone'] },
      ],
      failed: [],
    });
  });
});
