import type { Agenda, Process } from './agenda.js';
import type { Chance } from './chance.js';
import type { Fate, Weather } from './wire.js';

/** How often something becomes of a single call, of 1. */
export interface Rates {
  readonly refused: number;
  readonly lost: number;
  readonly unanswered: number;
  readonly late: number;
  readonly partly: number;
  readonly failed: number;
  /** A way takes up to `slowMs`, which lets others overtake it. */
  readonly slow: number;
  readonly slowMs: number;
  /** Ordinary time of one way, at most, in ms. */
  readonly quickMs: number;
  /** Engines whose calls take up to `mostMs` each, there and back. */
  readonly drag?: { readonly engines: readonly string[]; readonly share: number; readonly mostMs: number };
}

export interface Storm extends Weather {
  /** No call of this process reaches the engine for so long. */
  cut(from: Process, engine: string, ms: number): void;
  /** The engine takes no change for so long: it has no leader, or its disk is full. */
  close(engine: string, ms: number): void;
  /** Every call of the engine ends so, for so long: `refused` at once, or `lost`. */
  outage(engine: string, fate: Fate, ms: number): void;
  /** Calls that did not end well. */
  readonly failures: number;
  /** Until then everything is fine. */
  begin(): void;
  /** From now on everything is fine. */
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
  let failures = 0;
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
  function drawn(changes: boolean): Fate {
    let lot = random.next();
    for (const [fate, rate] of lots(changes)) {
      if (lot < rate) return fate;
      lot -= rate;
    }
    return 'fine';
  }
  return {
    get failures() {
      return failures;
    },
    fate(from, engine, changes) {
      if (isOver) return 'fine';
      const isCut = until(cuts, `${from.name} ${engine}`) > 0;
      const isClosed = changes && until(closed, engine) > 0;
      const fate = outageOf(engine) ?? (isCut ? 'lost' : isClosed ? 'refused' : drawn(changes));
      if (fate !== 'fine') failures += 1;
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
