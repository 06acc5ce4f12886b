import { expect } from 'chai';
import { maskSecrets } from '../../service/secretMask.js';

/** Returns the shortest of five durations, in ms. */
function timeOf(text: string): number {
  const times = Array.from({ length: 5 }, () => {
    const since = performance.now();
    maskSecrets(text);
    return performance.now() - since;
  });
  return Math.min(...times);
}

describe('masking secrets in a line', () => {
  it('removes keys, tokens, credentials and users in URLs', () => {
    for (const [line, shown] of [
      ['esdb://suuq:word@log-1:2113', 'esdb://[redacted]@log-1:2113'],
      ['"mongodb+srv://a:b@db", "https://c@d/"', '"mongodb+srv://[redacted]@db", "https://[redacted]@d/"'],
      ['http://plain.example.com/a@b c@d', 'http://[redacted]@b c@d'],
      ['see https://a.example.com and mail@example.com', 'see https://a.example.com and mail@example.com'],
      ['https://one https://two:word@host', 'https://one https://[redacted]@host'],
      ['esdb+discover://u:w@log kdb://u:w@log', 'esdb+discover://[redacted]@log kdb://[redacted]@log'],
      ['through socks5://user:word@proxy:1080', 'through socks5://[redacted]@proxy:1080'],
      ['http://@host', 'http://@host'],
      ['Authorization: Bearer abc.def/ghi=', 'Authorization: Bearer [redacted]'],
      ['psk_live_abcdef whsec_abcdef sk_x', 'psk_[redacted] whsec_[redacted] sk_x'],
      ['Bearer https://user:word@host', 'Bearer [redacted]://[redacted]@host'],
    ] as const)
      expect(maskSecrets(line), line).to.equal(shown);
  });

  it('takes time proportional to its length, for any content', () => {
    for (const unit of ['http://', 'esdb://x', 'https://a"', 'http://a ', 'Bearer ', 'sk_', '@http://', 'http://a@']) {
      const [short, long] = [10_000, 40_000].map((times) => `${unit.repeat(times)}@`) as [string, string];
      timeOf(short);
      // The input is four times as long. A quadratic scan would take sixteen times as long, which is seconds.
      expect(timeOf(long), unit).to.be.below(Math.max(12 * timeOf(short), 300));
    }
  });
});
