/** Sessions: what a browser or an app has in place of a key. They go on by themselves while they are used. */
import { createClient, type Suuq } from './client.js';
import type { Schemas } from './generated.js';
import { isProblem } from './problems.js';
import type { TransportOptions } from './transport.js';

export interface SessionOptions extends Omit<TransportOptions, 'credential'> {
  /** `pk_…` of a store, `ppk_…` of a partner. */
  readonly publishableKey: string;
  /**
   * A user token that your server signed, or a function that requests one from your server when a session has ended.
   */
  readonly userToken: string | (() => Promise<string>);
  /** ms since 1970; the clock when absent. */
  readonly now?: () => number;
}

export interface Session {
  /** Calls with the session's token, which is refreshed before it expires. */
  readonly client: Suuq;
  /** As it was last answered: who it is, which stores it opens. Its token is in no log's interest. */
  current(): Schemas['SDKSessionBody'];
  /** Signs out. */
  end(): Promise<void>;
}

/** A token is refreshed when it has less than this left, in ms. */
const EARLY_MS = 60_000;

/** Exchanges a user token for a session. Throws SuuqProblem, such as `user_token_invalid`, when it is refused. */
export async function openSession({
  publishableKey,
  userToken,
  now = Date.now,
  ...options
}: SessionOptions): Promise<Session> {
  const outside = createClient(options);
  const exchange = async () =>
    outside.createSDKSession({
      body: { publishableKey, userToken: typeof userToken === 'string' ? userToken : await userToken() },
    });
  let session = await exchange();
  let renewing: Promise<void> | undefined;

  async function renew(): Promise<void> {
    try {
      session = await createClient({ ...options, credential: session.token }).refreshSDKSession();
    } catch (error) {
      if (!isProblem(error, 'session_ended') || typeof userToken === 'string') throw error;
      session = await exchange();
    }
  }
  // Calls at the same time wait for one refresh.
  const renewed = (): Promise<void> => {
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
  const credential = async (refused?: string): Promise<string> => {
    if (refused === session.token || Date.parse(session.expiresAt) - now() < EARLY_MS) await renewed();
    return session.token;
  };
  const client = createClient({ ...options, credential });
  return {
    client,
    current: () => session,
    end: async () => {
      await client.endSDKSession();
    },
  };
}
