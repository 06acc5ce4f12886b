/** Web addresses as in RFC 3986. They are stored and called unchanged, so nothing is repaired. */

import { domainToUnicode } from 'node:url';

const CHARACTERS = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})";

/** Scheme in lower case, a host without user name, then path, query and fragment. */
const WEB_URL = [
  '^https?://',
  '(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9.])?|\\[[0-9A-Fa-f:.]+\\])',
  '(?::[0-9]{1,5})?',
  `(?:/(?:${CHARACTERS}|/)*)?`,
  `(?:\\?(?:${CHARACTERS}|[/?])*)?`,
  `(?:#(?:${CHARACTERS}|[/?])*)?$`,
].join('');

/** Same pattern for https only, used by the API reference. */
export const HTTPS_URL_PATTERN = WEB_URL.replace('https?', 'https');

const webUrl = new RegExp(WEB_URL);

/** Returns false for a host with a label in Punycode that encodes nothing, which Node.js 20 cannot parse and Node.js 24 can. */
const hasReadableHost = (text: string): boolean =>
  !/xn--/i.test(text) || !/(?:^|\.)xn--/.test(domainToUnicode(new URL(text).hostname) || 'xn--');

/**
 * Returns true if the text is an absolute http or https URL without blanks, line breaks, backslashes, user names, missing slashes or
 * characters outside ASCII.
 */
export const isWebUrl = (text: string): boolean => webUrl.test(text) && URL.canParse(text) && hasReadableHost(text);
