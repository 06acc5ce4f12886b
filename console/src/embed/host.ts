/**
 * The conversation with the page that frames this one, by postMessage (version 1, docs/guides/embedding.md). The host
 * gives user tokens; the frame reports where it is, its height, unread messages and errors.
 */
import { isFramed, publishableKey, setAccess } from '../api/frameAccess.js';

/** Version of the protocol: the member `suuq` of each message. */
const VERSION = 1;
/** Longest wait for a user token from the host, in ms. */
const TOKEN_MS = 60_000;

export interface Appearance {
  readonly primaryColor?: string;
  readonly radius?: number;
  readonly font?: string;
  readonly colorMode?: 'light' | 'dark' | 'auto';
}

/** The host's first message. */
interface Init {
  readonly userToken: string;
  /** One page instead of all: `orders`, `inbox`, `catalog`. */
  readonly view?: string;
  readonly locale?: string;
  readonly appearance?: Appearance;
}

export interface Host {
  readonly view: string | undefined;
  readonly appearance: Appearance;
  post(type: string, fields?: Readonly<Record<string, unknown>>): void;
}

interface Session {
  readonly token: string;
  readonly appearance?: Appearance;
}

/** A refusal of the session, with its code. */
export class NoSession extends Error {
  readonly code: string;
  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

async function answered(answer: Response): Promise<Session> {
  const body = (await answer.json().catch(() => ({}))) as Session & {
    readonly code?: string;
    readonly detail?: string;
  };
  if (!answer.ok) throw new NoSession(body.code ?? 'unavailable', body.detail ?? 'The service does not answer.');
  return body;
}

const SESSIONS = '/embed/api/v1/sdk/sessions';

const exchange = (userToken: string, embedOrigin: string): Promise<Session> =>
  fetch(SESSIONS, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ publishableKey, userToken, embedOrigin }),
  }).then(answered);

const refreshed = (token: string): Promise<Session> =>
  fetch(`${SESSIONS}/refresh`, { method: 'POST', headers: { Authorization: `Bearer ${token}` } }).then(answered);

type Heard = MessageEvent<{ readonly suuq?: number; readonly type?: string; readonly userToken?: string } & Init>;

/** Resolves with the next message of a type from the host. `origin`: only from there. */
function next(type: string, origin: string | undefined, withinMs = Number.POSITIVE_INFINITY): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const hear = (event: Heard): void => {
      const isHost = event.source === parent && (origin === undefined || event.origin === origin);
      if (!isHost || event.data?.suuq !== VERSION || event.data.type !== type) return;
      removeEventListener('message', hear);
      resolve(event);
    };
    addEventListener('message', hear);
    if (Number.isFinite(withinMs))
      setTimeout(() => {
        removeEventListener('message', hear);
        reject(new NoSession('no_user_token', 'The page did not provide a new user token.'));
      }, withinMs);
  });
}

/** Waits for the host, and opens a session with its user token. Rejects with NoSession; the host knows then. */
export async function joinHost(): Promise<Host> {
  if (!isFramed || parent === window)
    throw new NoSession('not_framed', 'This page can only be used inside a partner’s page.');
  const first = next('init', undefined);
  // Any page may know that the frame is ready. The token comes back only from pages of the key's origins.
  parent.postMessage({ suuq: VERSION, type: 'hello' }, '*');
  const { data, origin } = await first;
  const post: Host['post'] = (type, fields) => parent.postMessage({ ...fields, suuq: VERSION, type }, origin);
  const failed = (error: unknown): never => {
    const { code, message } = error instanceof NoSession ? error : new NoSession('unavailable', String(error));
    post('error', { code, message });
    throw error;
  };
  const session = await exchange(data.userToken, origin).catch(failed);
  let { token } = session;
  setAccess(token, async () => {
    const again = await refreshed(token).catch(async () => {
      const answer = next('token', origin, TOKEN_MS).catch(failed);
      post('token-needed');
      return exchange((await answer).data.userToken, origin).catch(failed);
    });
    token = again.token;
    return token;
  });
  return { view: data.view, appearance: { ...session.appearance, ...data.appearance }, post };
}
