/** Faults of a network, each at one message of an exchange: what comes after it must be as if nothing had happened. */
import type { FaultyProxy, Verdict, WireMessage } from '../../../harness/engines/faultyProxy.js';

/** What happens to the message, in words that follow 'a message that'. */
export const WIRE_FAULTS: Readonly<Record<string, Verdict>> = {
  'comes late': { delayMs: 120 },
  'is lost': 'lose',
  'comes half': 'half',
  'is the last one in its direction': 'silence',
  'finds the connection reset': 'reset',
};

/** Which messages count; all when absent. */
type Counted = (message: WireMessage) => boolean;

/** How many messages an exchange has. */
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

/** The fault meets the message number `at` (from 0) from now on, once; answers whether it has. */
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
