import type { Agenda, Process } from './agenda.js';
import type { Chance } from './chance.js';
import type { Fate, Weather } from './wire.js';

/** Share of calls with each fate, from 0 to 1. */
export interface Rates {
  readonly refused: number;
  readonly lost: number;
  readonly unanswered: number;
  readonly late: number;
  readonly partly: number;
  readonly failed: number;
  /** Share of slow messages, which take up to `slowMs` so that others overtake them. */
  readonly slow: number;
  readonly slowMs: number;
  /** Maximum duration of an ordinary one-way message, in ms. */
  readonly quickMs: number;
  /** Engines that fail; all if absent. */
  readonly engines?: readonly string[];
  /** Share of failed changes after which the engine refuses changes for up to `mostMs`. */
  readonly away?: { readonly share: number; readonly mostMs: number };
  /** Engines with a `share` of slow messages. A round trip takes up to `mostMs`. */
  readonly drag?: { readonly engines: readonly string[]; readonly share: number; readonly mostMs: number };
}

export interface Storm extends Weather {
  /** Drops all calls of this process to the engine for `ms`. */
  cut(from: Process, engine: string, ms: number): void;
  /** Refuses all changes of the engine for `ms`, as without a leader or with a full disk. */
  close(engine: string, ms: number): void;
  /** Gives every call of the engine this fate for `ms`: `refused` at once, or `lost`. */
  outage(engine: string, fate: Fate, ms: number): void;
  /** Number of calls with a fate other than `fine`, of one engine or of all. */
  failures(engine?: string): number;
  /** Number of calls to the engine. */
  calls(engine: string): number;
  /** Starts the faults. Before that every call succeeds. */
  begin(): void;
  /** Ends the faults. From then on every call succeeds. */
  end(): void;
}

export function storm(agenda: Agenda, random: Chance, rates: Rates): Storm {
  const cuts = new Map<string, number>();
  const closed = new Map<string, number>();
  const outages = new Map<string, { readonly fate: Fate; readonly until: number }>();
  const outageOf = (engine: string): Fate | undefined => {
    const found = outages.get(engine);
    return found !== undefined && found.until > agenda.now ? found.fate : undefined;
  };
  let isOver = true;
  const until = (map: ReadonlyMap<string, number>, key: string): number => {
    const time = map.get(key) ?? 0;
    return time > agenda.now ? time : 0;
  };
  const failures = new Map<string, number>();
  const calls = new Map<string, number>();
  const lots = (changes: boolean): readonly (readonly [Fate, number])[] => [
    ['refused', rates.refused],
    ['lost', rates.lost],
    ...(changes
      ? ([
          ['unanswered', rates.unanswered],
          ['late', rates.late],
          ['partly', rates.partly],
          ['failed', rates.failed],
        ] as const)
      : []),
  ];
  function closeAfterFailure(engine: string): void {
    const { away } = rates;
    if (away !== undefined && random.happens(away.share))
      closed.set(engine, agenda.now + random.between(0, away.mostMs));
  }
  function drawn(engine: string, changes: boolean): Fate {
    if (rates.engines?.includes(engine) === false) return 'fine';
    let lot = random.next();
    for (const [fate, rate] of lots(changes)) {
      if (lot < rate) return fate;
      lot -= rate;
    }
    return 'fine';
  }
  return {
    failures: (engine) =>
      engine === undefined ? [...failures.values()].reduce((a, b) => a + b, 0) : (failures.get(engine) ?? 0),
    calls: (engine) => calls.get(engine) ?? 0,
    fate(from, engine, changes) {
      calls.set(engine, (calls.get(engine) ?? 0) + 1);
      if (isOver) return 'fine';
      const isCut = until(cuts, `${from.name} ${engine}`) > 0;
      const isClosed = changes && until(closed, engine) > 0;
      const fate = outageOf(engine) ?? (isCut ? 'lost' : isClosed ? 'refused' : drawn(engine, changes));
      if (fate === 'fine') return fate;
      failures.set(engine, (failures.get(engine) ?? 0) + 1);
      if (changes && !isClosed) closeAfterFailure(engine);
      return fate;
    },
    latency(engine = '') {
      const { drag, slow, slowMs, quickMs } = rates;
      if (isOver) return random.between(0.05, quickMs);
      if (drag?.engines.includes(engine) && random.happens(drag.share)) return random.between(0.05, drag.mostMs / 2);
      return random.happens(slow) ? random.between(1, slowMs) : random.between(0.05, quickMs);
    },
    cutUntil: (from, engine) => (isOver ? 0 : until(cuts, `${from.name} ${engine}`)),
    happens: (probability) => random.happens(probability),
    cut: (from, engine, ms) => void cuts.set(`${from.name} ${engine}`, agenda.now + ms),
    close: (engine, ms) => void closed.set(engine, agenda.now + ms),
    outage: (engine, fate, ms) => void outages.set(engine, { fate, until: agenda.now + ms }),
    begin() {
      isOver = false;
    },
    end() {
      isOver = true;
    },
  };
}
