/**
 * Clients write the regular expressions of filters in the dialect of .NET. It is JavaScript's but for a few escapes and
 * options, which are put in its words; what JavaScript has no words for is an error, so that nothing is read differently.
 */

/** Escapes of letters that mean the same in both, outside of \p. */
const SAME = 'dDwWsSbBtnrfvxuck';
const OTHER: Readonly<Record<string, string>> = {
  A: '(?<![\\s\\S])',
  z: '(?![\\s\\S])',
  Z: '(?=\\n?(?![\\s\\S]))',
  a: '\\x07',
  e: '\\x1b',
};
const OPTIONS = /^\(\?([a-z]+)\)/;
/** Without a group's name in the pattern, JavaScript alone would take \k for a letter. */
const ESCAPE = /\\([\s\S]|$)/g;

/** An Error, with what is wrong, when it cannot be used. */
export function regexOf(source: string): RegExp | Error {
  try {
    const options = OPTIONS.exec(source)?.[1] ?? '';
    const pattern = source.slice(options === '' ? 0 : options.length + 3);
    return new RegExp(translate(pattern), flagsOf(options) + (/\\[pP]\{/.test(pattern) ? 'u' : ''));
  } catch (error) {
    return error as Error;
  }
}

function flagsOf(options: string): string {
  for (const option of options) {
    if (!'imsn'.includes(option)) throw new Error(`the option (?${option}) is not known here`);
  }
  return [...new Set(options.replaceAll('n', ''))].join('');
}

function translate(pattern: string): string {
  return pattern.replace(ESCAPE, (whole, letter: string) => {
    if (letter === 'p' || letter === 'P' || !/[a-zA-Z]/.test(letter)) return plain(whole, letter);
    if (SAME.includes(letter)) return whole;
    const other = OTHER[letter];
    if (other === undefined) throw new Error(`\\${letter} is not known here`);
    return other;
  });
}

/** A space or '#' need no escape, and with \p in the pattern may have none. */
const plain = (whole: string, letter: string): string => (letter === ' ' || letter === '#' ? letter : whole);
