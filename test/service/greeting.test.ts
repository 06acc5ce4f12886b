import { expect } from 'chai';
import { shownHost } from '../../infrastructure/http/listen.js';

describe('the URL printed at the start', () => {
  it('can be opened', () => {
    for (const everywhere of ['0.0.0.0', '0', '::', '::0', '0:0:0:0:0:0:0:0'])
      expect(shownHost(everywhere), everywhere).to.equal('127.0.0.1');
    expect(shownHost('::1')).to.equal('[::1]');
    expect(shownHost('192.0.2.1')).to.equal('192.0.2.1');
    expect(shownHost('shop.internal')).to.equal('shop.internal');
  });
});
