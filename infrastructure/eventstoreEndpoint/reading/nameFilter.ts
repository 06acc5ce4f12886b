/** Filters of $all: by the name of the stream or of the event's type, with prefixes or a regular expression. */
import { createContext, Script } from 'node:vm';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EventHead, RawLog } from '../../sqlite/eventStore/rawLog.js';
import { exhausted, invalid, malformed, notChosen } from '../refusal.js';
import { regexOf } from './dotnetRegex.js';

type FilterOptions = streams.ReadReq.Options.FilterOptions;
/** Result for each name: true if it passes. */
type Test = (names: readonly string[]) => boolean[];

const KEPT_VERDICTS = 50_000;
/** An expression that takes longer for one page's new names would stop everything else. */
const REGEX_MS = 500;
const REGEX_CHARS = 4_096;

/** Lets events pass by a name. Each name is judged once, by its number. */
export class NameFilter {
  readonly #of: 'stream' | 'type';
  readonly #test: Test;
  readonly #verdicts = new Map<number, boolean>();

  constructor(of: 'stream' | 'type', test: Test) {
    this.#of = of;
    this.#test = test;
  }

  /** The ones of these that pass, in their order. Throws a Refusal when the expression takes too long. */
  select<Head extends EventHead>(heads: readonly Head[], log: RawLog): Head[] {
    this.#judge(heads, log);
    return heads.filter((head) => this.#verdicts.get(head[this.#of]));
  }

  #judge(heads: readonly EventHead[], log: RawLog): void {
    if (this.#verdicts.size > KEPT_VERDICTS) this.#verdicts.clear();
    const numbers = [...new Set(heads.map((head) => head[this.#of]))].filter((number) => !this.#verdicts.has(number));
    if (numbers.length === 0) return;
    const names = numbers.map((number) => (this.#of === 'stream' ? log.streamName(number) : log.typeName(number)));
    const verdicts = this.#test(names);
    for (const [index, number] of numbers.entries()) this.#verdicts.set(number, verdicts[index]!);
  }
}

/** Undefined: everything passes. Throws a Refusal. */
export function filterOf(options: FilterOptions): NameFilter | undefined {
  if (!options.hasMax() && !options.hasCount())
    throw notChosen(
      'a filter needs a window: max or count',
      'ReadReq+Types+Options+Types+FilterOptions+WindowOneofCase',
    );
  if (options.hasMax() && options.getMax() === 0) throw invalid('the window of a filter begins at 1');
  const expression = options.getStreamIdentifier() ?? options.getEventType();
  if (expression === undefined) return undefined;
  const regex = expression.getRegex();
  // An expression goes before prefixes; neither lets nothing pass.
  const test = regex === '' ? byPrefixes(expression.getPrefixList()) : byRegex(regex);
  return new NameFilter(options.hasStreamIdentifier() ? 'stream' : 'type', test);
}

const byPrefixes =
  (prefixes: readonly string[]): Test =>
  (names) =>
    names.map((name) => prefixes.some((prefix) => name.startsWith(prefix)));

/** Only a script of its own can be stopped; all expressions take turns in it. */
const turns: { regex: RegExp; names: readonly string[] } = { regex: /^/, names: [] };
const script = new Script('names.map((name) => regex.test(name))');
createContext(turns);

function byRegex(source: string): Test {
  if (source.length > REGEX_CHARS) throw invalid(`a regular expression has at most ${REGEX_CHARS} characters`);
  const regex = regexOf(source);
  if (regex instanceof Error) throw malformed(`the filter's regular expression cannot be used: ${regex.message}`);
  return (names) => {
    Object.assign(turns, { regex, names });
    try {
      return script.runInContext(turns, { timeout: REGEX_MS }) as boolean[];
    } catch {
      throw exhausted("the filter's regular expression takes too long: make it simpler");
    }
  };
}
