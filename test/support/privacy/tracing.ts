/**
 * Where personal values go: the recorded samples of each event with a value of its own at each place that is marked, folded by
 * each read model; what then stands in its documents tells what they hold. Nobody has to write it down, nor can forget to.
 */
import type { PersonalKind } from '../../../domain/personalFields.js';
import type { RecordedEvent } from '../../../engine/ports/eventStore.js';
import { type AnyProjection, foldEvent, handlersOf, type View } from '../../../engine/projections/projection.js';
import { type EventStream, storedEvents } from '../../../service/composition/events.js';
import { readToday, type Samples } from '../events/samples.js';
import type { Shape } from '../events/shapes.js';
import { invalid } from '../events/validity.js';
import { specMeta } from '../spec/given.js';

/** One place of a read model's documents, such as `body.contact.phone`, and the kinds of what is found there. */
export interface TracedPlace {
  readonly path: string;
  readonly kinds: readonly PersonalKind[];
}

export interface Traced {
  readonly places: readonly TracedPlace[];
  /** Events that no fold went through: what they do is not known. */
  readonly failed: readonly string[];
}

/** Streams whose own id is made of a phone number or a user id. */
const DERIVED_STREAMS: readonly string[] = ['conversation', 'customer'];

const isPhone = (kind: PersonalKind): boolean => kind === 'phone' || kind === 'account';
const MARK = /q7x(\d{5})x7q|2526170(\d{5})|11\.7(\d{5})1/g;

/** Values that are found again, whole or in part of another; each knows its kind. */
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

/** The same data with marks where the schema says that something is personal. */
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

/** The same data, and them with each other value that a field of theirs may have: a handler may look at it. */
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

/** Keys of a map that names nobody, such as ids of messages, are one place: `*`. */
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

/** What a read model's documents can hold of people. */
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
      // Samples stand in no order in which they could have happened; another one may go through.
      failed.add(event.type);
    }
  };
  // As the first of all, since samples share their ids and a later one may find what it makes; then after one another, twice,
  // since one may only do something to what another has made.
  for (const event of events) fold(event, new Map());
  const views: Views = new Map();
  for (const event of [...events, ...events]) fold(event, views);
  const places = [...found].map(([path, kinds]) => ({ path, kinds: [...kinds].sort() }));
  return {
    places: places.sort((one, other) => (one.path < other.path ? -1 : 1)),
    failed: [...failed].filter((type) => !done.has(type)).sort(),
  };
}
