/** Checks a ReadReq: the combinations that EventStoreDB knows, and its answers to the others. */
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Direction } from '../../sqlite/eventStore/rawLog.js';
import { streamIn } from '../protocol.js';
import { invalid, malformed, notChosen } from '../refusal.js';
import { filterOf, type NameFilter } from './nameFilter.js';
import type { UuidForm } from './readResponses.js';

type Options = streams.ReadReq.Options;
const { StreamOptionCase, CountOptionCase, FilterOptionCase } = streams.ReadReq.Options;

interface Common {
  readonly form: UuidForm;
  readonly links: boolean;
}

/** Start and end, or an event's number: a revision of a stream, a position of the log. */
export type From = 'start' | 'end' | number;

export interface StreamRead extends Common {
  readonly kind: 'stream';
  readonly stream: string;
  readonly from: From;
  readonly direction: Direction;
  readonly count: number;
  /** True if the first and the last revision are sent too. */
  readonly bounds: boolean;
}

export interface AllRead extends Common {
  readonly kind: 'all';
  readonly from: From;
  readonly direction: Direction;
  readonly count: number;
  readonly filter?: NameFilter;
}

export interface StreamSubscription extends Common {
  readonly kind: 'streamSubscription';
  readonly stream: string;
  readonly from: From;
}

export interface AllSubscription extends Common {
  readonly kind: 'allSubscription';
  readonly from: From;
  readonly filter?: NameFilter;
  /** Events looked at between two checkpoints of a filtered subscription. */
  readonly interval: number;
}

export type ReadRequest = StreamRead | AllRead | StreamSubscription | AllSubscription;

const MOST = 2n ** 63n;
/** How the number -1, the end, looks in the protocol's unsigned fields. */
const MINUS_ONE = 2n ** 64n - 1n;

/** Throws a Refusal. */
export function readRequestOf(request: streams.ReadReq): ReadRequest {
  const options = request.getOptions();
  if (options === undefined) throw malformed('a read needs options');
  checkCombination(options);
  const common = { form: formOf(options), links: options.getResolveLinks() };
  return options.hasAll() ? allRequest(options, common) : streamRequest(options, common);
}

function streamRequest(options: Options, common: Common): StreamRead | StreamSubscription {
  const place = options.getStream()!;
  const stream = streamIn(place.getStreamIdentifier());
  const from = place.hasRevision() ? numberOf(place.getRevision()) : edgeOf(place);
  if (options.hasSubscription()) return { ...common, kind: 'streamSubscription', stream, from };
  const bounds = (options.getControlOption()?.getCompatibility() ?? 0) >= 1;
  return {
    ...common,
    kind: 'stream',
    stream,
    from,
    direction: directionOf(options),
    count: countOf(options),
    bounds,
  };
}

function allRequest(options: Options, common: Common): AllRead | AllSubscription {
  const place = options.getAll()!;
  const from = place.hasPosition() ? positionOf(place.getPosition()!) : edgeOf(place);
  const option = options.getFilter();
  const filter = option && filterOf(option);
  const filtered = filter && { filter };
  if (!options.hasSubscription())
    return { ...common, kind: 'all', from, direction: directionOf(options), count: countOf(options), ...filtered };
  const after = isCheckpoint(place) && typeof from === 'number' ? from - 1 : from;
  return { ...common, kind: 'allSubscription', from: after, ...filtered, interval: option ? intervalOf(option) : 0 };
}

/** True for a position before an event, as in checkpoints of the history: everything before it was scanned, the event itself not. */
function isCheckpoint(place: streams.ReadReq.Options.AllOptions): boolean {
  const position = place.getPosition();
  return position !== undefined && position.getPreparePosition() === '0' && position.getCommitPosition() !== '0';
}

function edgeOf(place: { hasStart(): boolean; hasEnd(): boolean }): 'start' | 'end' {
  if (place.hasStart()) return 'start';
  if (place.hasEnd()) return 'end';
  throw malformed('a read needs a place to begin at: start, end, or a revision or position');
}

/** Revisions and positions of 2^53 and more are beyond everything that is stored. */
function numberOf(text: string): From {
  const value = BigInt(text);
  if (value === MINUS_ONE) return 'end';
  if (value >= MOST) throw malformed(`${text} is larger than the largest revision or position, 2^63-1`);
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
}

function positionOf(position: streams.ReadReq.Options.Position): From {
  const commit = position.getCommitPosition();
  const prepare = position.getPreparePosition();
  if (BigInt(prepare) > BigInt(commit))
    throw malformed('the prepare position cannot be larger than the commit position');
  return numberOf(commit);
}

const directionOf = (options: Options): Direction => (options.getReadDirection() === 0 ? 'forwards' : 'backwards');

const countOf = (options: Options): number => Math.min(Number(options.getCount()), Number.MAX_SAFE_INTEGER);

function formOf(options: Options): UuidForm {
  const option = options.getUuidOption();
  if (option?.hasString()) return 'string';
  if (option?.hasStructured()) return 'structured';
  throw invalid('a read must set uuid_option to structured or string');
}

/** Windows are EventStoreDB's own bounds of a search; here they set the interval of checkpoints. */
const DEFAULT_WINDOW = 32;

function intervalOf(filter: streams.ReadReq.Options.FilterOptions): number {
  const multiplier = filter.getCheckpointintervalmultiplier();
  if (multiplier === 0) throw malformed('the checkpoint interval multiplier of a filtered subscription begins at 1');
  return (filter.hasMax() ? filter.getMax() : DEFAULT_WINDOW) * multiplier;
}

/** How EventStoreDB names what was chosen, in the refusal of a combination. */
function checkCombination(options: Options): void {
  const place = options.getStreamOptionCase();
  if (place === StreamOptionCase.STREAM_OPTION_NOT_SET)
    throw notChosen('a read needs a stream, or all', 'ReadReq+Types+Options+StreamOptionOneofCase');
  const all = place === StreamOptionCase.ALL;
  const count = options.getCountOptionCase();
  const direction = options.getReadDirection() as number;
  const filter = options.getFilterOptionCase();
  const known =
    count !== CountOptionCase.COUNT_OPTION_NOT_SET &&
    filter !== FilterOptionCase.FILTER_OPTION_NOT_SET &&
    (all || filter === FilterOptionCase.NO_FILTER) &&
    (direction === 0 || (direction === 1 && count === CountOptionCase.COUNT));
  if (known) return;
  const chosen = [
    all ? 'All' : 'Stream',
    { [CountOptionCase.COUNT]: 'Count', [CountOptionCase.SUBSCRIPTION]: 'Subscription' }[count as number] ?? 'None',
    ['Forwards', 'Backwards'][direction] ?? direction,
    { [FilterOptionCase.FILTER]: 'Filter', [FilterOptionCase.NO_FILTER]: 'NoFilter' }[filter as number] ?? 'None',
  ];
  throw invalid(`The combination of (${chosen.join(', ')}) is invalid.`);
}
