/** Masks secrets in a text, in linear time. */

/** Keys, signing secrets, session tokens and bearer credentials, anywhere in the text. */
const SECRETS = /\b(sk|psk|pk|ppk|sdk|whsec)_[A-Za-z0-9_-]{4,}|\bBearer\s+[A-Za-z0-9._~+/=-]{4,}/g;
/** Ends any scheme, of engines, proxies and what drivers speak of. */
const SCHEME = /:\/\//g;
const USER_END = /[\s"@]/g;

/**
 * Users of URLs: the text between a scheme and the next @, unless a space or quote comes first. That next position is found once and
 * cached, so that thousands of schemes before one @ take linear time.
 */
function withoutUsers(text: string): string {
  if (!text.includes('@')) return text;
  const parts: string[] = [];
  let done = 0;
  let end = -1;
  SCHEME.lastIndex = 0;
  for (let found = SCHEME.exec(text); found !== null; found = SCHEME.exec(text)) {
    const start = SCHEME.lastIndex;
    if (end < start) {
      USER_END.lastIndex = start;
      end = USER_END.exec(text)?.index ?? text.length;
    }
    if (text[end] !== '@' || end === start) continue;
    parts.push(text.slice(done, start), '[redacted]');
    done = end;
    SCHEME.lastIndex = end;
  }
  return done === 0 ? text : parts.join('') + text.slice(done);
}

/** The text with `[redacted]` in place of each secret. */
export const maskSecrets = (text: string): string =>
  withoutUsers(text).replace(SECRETS, (_found, prefix?: string) =>
    prefix === undefined ? 'Bearer [redacted]' : `${prefix}_[redacted]`,
  );
