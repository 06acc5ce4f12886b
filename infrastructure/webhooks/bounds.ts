/** Early ends of an attempt: its deadline, or the end of the service. */

export interface Attempt {
  /** Undefined as long as it may go on. */
  readonly ended: 'late' | 'stopped' | undefined;
  /** Called when the attempt is ended early; set by the owner of the connection to cancel. */
  onEnd: (() => void) | undefined;
}

export interface Bounds {
  /** Bounded from now on, until it is given back by `done`. */
  begin(signal: AbortSignal): Attempt;
  done(attempt: Attempt, signal: AbortSignal): void;
  /** Ends what is still under way, and sets no more timers. */
  close(): void;
}

class Bounded implements Attempt {
  ended: Attempt['ended'];
  onEnd: Attempt['onEnd'];
  /** ms of a steady clock. */
  readonly endsAt: number;
  constructor(endsAt: number) {
    this.endsAt = endsAt;
  }
  end(why: 'late' | 'stopped'): void {
    if (this.ended !== undefined) return;
    this.ended = why;
    this.onEnd?.();
  }
}

/**
 * All attempts have the same deadline, so they are late in the order in which they began: one timer is enough for all. A signal, which thousands of
 * attempts share, is listened to once, since each listener more is compared with all before it.
 */
export function createBounds(deadlineMs: number): Bounds {
  /** In the order in which they began. */
  const underWay = new Set<Bounded>();
  const bySignal = new WeakMap<AbortSignal, Set<Bounded>>();
  let timer: NodeJS.Timeout | undefined;

  function arm(): void {
    const [first] = underWay;
    timer = first && setTimeout(fire, Math.max(1, Math.ceil(first.endsAt - performance.now())));
    // Whatever is under way has a socket or a name server that keeps the process.
    timer?.unref();
  }

  function fire(): void {
    const now = performance.now();
    for (const attempt of underWay) {
      if (attempt.endsAt > now) break;
      underWay.delete(attempt);
      attempt.end('late');
    }
    arm();
  }

  function boundedBy(signal: AbortSignal): Set<Bounded> {
    const known = bySignal.get(signal);
    if (known !== undefined) return known;
    const active = new Set<Bounded>();
    bySignal.set(signal, active);
    signal.addEventListener('abort', () => {
      for (const attempt of active) attempt.end('stopped');
    });
    return active;
  }

  return {
    begin(signal) {
      const attempt = new Bounded(performance.now() + deadlineMs);
      underWay.add(attempt);
      boundedBy(signal).add(attempt);
      if (timer === undefined) arm();
      return attempt;
    },
    done(attempt, signal) {
      underWay.delete(attempt as Bounded);
      bySignal.get(signal)?.delete(attempt as Bounded);
    },
    close() {
      clearTimeout(timer);
      const left = [...underWay];
      underWay.clear();
      for (const attempt of left) attempt.end('stopped');
    },
  };
}
