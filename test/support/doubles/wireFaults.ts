/** Network faults, each at one message of an exchange. Later exchanges must work as if nothing had happened. */
import type { FaultyProxy, Verdict, WireMessage } from '../../../harness/engines/faultyProxy.js';

/** Faults of a message, by words that follow 'a message that'. */
export const WIRE_FAULTS: Readonly<Record<string, Verdict>> = {
  'comes late': { delayMs: 120 },
  'is lost': 'lose',
  'comes half': 'half',
  'is the last one in its direction': 'silence',
  'finds the connection reset': 'reset',
};

/** Selects the messages that count. Default: all. */
type Counted = (message: WireMessage) => boolean;

/** Returns the number of messages in an exchange. */
export async function messagesOf(
  proxy: FaultyProxy,
  exchange: () => Promise<unknown>,
  counts: Counted = () => true,
): Promise<number> {
  let seen = 0;
  proxy.judge((message) => {
    if (counts(message)) seen++;
    return undefined;
  });
  await exchange();
  proxy.judge(undefined);
  return seen;
}

/** Applies the fault once, to message number `at` (from 0). `met` shows whether that has happened. */
export function faultAt(
  proxy: FaultyProxy,
  at: number,
  fault: Verdict,
  counts: Counted = () => true,
): { readonly met: boolean } {
  let seen = 0;
  proxy.judge((message) => (counts(message) && seen++ === at ? fault : undefined));
  return {
    get met() {
      return seen > at;
    },
  };
}
