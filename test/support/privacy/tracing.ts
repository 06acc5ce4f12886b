/**
 * Traces personal values into read models. Each place of a recorded sample that is marked personal gets a unique value,
 * and each read model folds the sample. The values found in its documents show what they store, so nobody has to
 * document that by hand.
 */
import type { PersonalKind } from '../../../domain/personalFields.js';
import type { RecordedEvent } from '../../../engine/ports/eventStore.js';
import { type AnyProjection, foldEvent, handlersOf, type View } from '../../../engine/projections/projection.js';
import { type EventStream, storedEvents } from '../../../service/composition/events.js';
import { readToday, type Samples } from '../events/samples.js';
import type { Shape } from '../events/shapes.js';
import { invalid } from '../events/validity.js';
import { specMeta } from '../spec/given.js';

/** One place of a read model's documents, such as `body.contact.phone`, and the kinds found there. */
export interface TracedPlace {
  readonly path: string;
  readonly kinds: readonly PersonalKind[];
}

export interface Traced {
  readonly places: readonly TracedPlace[];
  /** Events that no fold accepted. Their effect is unknown. */
  readonly failed: readonly string[];
}

/** Streams whose id is derived from a phone number or a user id. */
const DERIVED_STREAMS: readonly string[] = ['conversation', 'customer'];

const isPhone = (kind: PersonalKind): boolean => kind === 'phone' || kind === 'account';
const MARK = /q7x(\d{5})x7q|2526170(\d{5})|11\.7(\d{5})1/g;

/** Creates values that can be found again, whole or as a part of another value, and stores the kind of each. */
class Marks {
  readonly #kinds: PersonalKind[] = [];

  text(kind: PersonalKind): string {
    const digits = this.#next(kind);
    if (isPhone(kind)) return `+2526170${digits}`;
    return kind === 'email' ? `q7x${digits}x7q@people.example` : `q7x${digits}x7q`;
  }

  number(kind: PersonalKind): number {
    return Number(`11.7${this.#next(kind)}1`);
  }

  kindsIn(value: unknown): readonly PersonalKind[] {
    return [...String(value).matchAll(MARK)].map(([, one, two, three]) => this.#kinds[Number(one ?? two ?? three)]!);
  }

  #next(kind: PersonalKind): string {
    this.#kinds.push(kind);
    return String(this.#kinds.length - 1).padStart(5, '0');
  }
}

const propertiesOf = (schema: Shape) => (schema.properties ?? {}) as Readonly<Record<string, Shape>>;

/** Returns the same data with marks in the fields that the schema declares personal. */
function markedData(schema: Shape, value: unknown, marks: Marks): unknown {
  const options = schema.anyOf as readonly Shape[] | undefined;
  if (options !== undefined) {
    const option = options.find((one) => invalid(one, value) === undefined);
    return option === undefined ? value : markedData(option, value, marks);
  }
  const kind = schema['x-personal'];
  if (typeof kind === 'string') {
    const of = kind as PersonalKind;
    if (typeof value === 'number') return marks.number(of);
    return typeof value === 'object' ? { answer: marks.text(of) } : marks.text(of);
  }
  if (Array.isArray(value)) return value.map((one) => markedData(schema.items as Shape, one, marks));
  if (typeof value !== 'object' || value === null) return value;
  const fields = propertiesOf(schema);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, fields[name] ? markedData(fields[name], one, marks) : one]),
  );
}

/** Returns the data, and a variant for each other value of its enum fields, since a handler may depend on it. */
function varied(schema: Shape, data: object): object[] {
  const others = Object.entries(propertiesOf(schema)).flatMap(([name, { enum: values }]) =>
    name in data && Array.isArray(values) ? values.map((value) => ({ ...data, [name]: value })) : [],
  );
  return [data, ...others];
}

/** Every sample of every event of these categories, in the order in which the events are declared. */
function markedEvents(
  streams: readonly EventStream[],
  samples: Samples,
  categories: readonly string[],
  marks: Marks,
): RecordedEvent[] {
  const actor = { type: 'customer' as const, id: marks.text('userId') };
  const meta = { ...specMeta, actor, workspaceId: 'store-1', partnerId: 'partner-1' };
  return streams.flatMap(({ stream, events }) => {
    const category = stream.split('-', 1)[0]!;
    if (!categories.includes(category)) return [];
    const id = DERIVED_STREAMS.includes(category) ? marks.text('derivedId') : `${category}1`;
    return Object.entries(events).flatMap(([type, { data }]) => {
      const schema = data as unknown as Shape;
      return (samples[type] ?? [])
        .flatMap((sample) => varied(schema, readToday(storedEvents, type, sample)))
        .map((one) => ({
          id: `event-${type}`,
          type,
          stream: `${category}-${id}`,
          data: markedData(schema, one, marks) as object,
          meta,
          revision: 0,
          position: 0,
        }));
    });
  });
}

/** Returns the path segment of a key. Keys that vary, such as message ids, are all one place: `*`. */
const segment = (name: string, marks: Marks): string =>
  marks.kindsIn(name).length > 0 || /-1$|\d/.test(name) ? '*' : name;

function note(value: unknown, path: string, marks: Marks, found: Map<string, Set<PersonalKind>>): void {
  const add = (at: string, kinds: readonly PersonalKind[]): void => {
    for (const kind of kinds) found.set(at, (found.get(at) ?? new Set()).add(kind));
  };
  if (Array.isArray(value)) for (const one of value) note(one, `${path}[]`, marks, found);
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      add(`${path}.* (the key)`, marks.kindsIn(name));
      note(inner, `${path}.${segment(name, marks)}`, marks, found);
    }
  else add(path, marks.kindsIn(value));
}

type Views = Map<string, View<unknown> | undefined>;

/** Returns the personal data that a read model's documents can contain. */
export function traced(projection: AnyProjection, streams: readonly EventStream[], samples: Samples): Traced {
  const marks = new Marks();
  const handled = handlersOf(projection);
  const events = markedEvents(streams, samples, projection.categories, marks).filter(({ type }) => handled.has(type));
  const found = new Map<string, Set<PersonalKind>>();
  const [done, failed] = [new Set<string>(), new Set<string>()];
  const fold = (event: RecordedEvent, views: Views): void => {
    try {
      const ids = foldEvent(projection, views, event);
      done.add(event.type);
      for (const id of ids) {
        const view = views.get(id);
        if (view === undefined) continue;
        note(id, 'id', marks, found);
        note(view.keys, 'keys', marks, found);
        note(view.body, 'body', marks, found);
      }
    } catch {
      // Samples are not in an order that could have happened; another sample may succeed.
      failed.add(event.type);
    }
  };
  // Each event is first folded alone, since samples share their ids and a later one may find an existing document. Then
  // all are folded in sequence, twice, since one may need a document that another has created.
  for (const event of events) fold(event, new Map());
  const views: Views = new Map();
  for (const event of [...events, ...events]) fold(event, views);
  const places = [...found].map(([path, kinds]) => ({ path, kinds: [...kinds].sort() }));
  return {
    places: places.sort((one, other) => (one.path < other.path ? -1 : 1)),
    failed: [...failed].filter((type) => !done.has(type)).sort(),
  };
}
