import { expect } from 'chai';
import { derivedId } from '../../domain/ids.js';

describe('derived ids', () => {
  // Derived ids are stored in logs. A changed id would repeat work that was done before a restart.
  it('are always the same for the same names', () => {
    expect(derivedId('order', 'cart-1')).to.equal('2fe48583-8bc2-5e8b-a92e-5cfb533fe15f');
    expect(derivedId('order', 'cart-2')).to.equal('5d105839-e57c-5e37-b45b-b3aabb2a5800');
    expect(derivedId('command', 'سوق', 7)).to.equal('c64edcb2-9ac7-5d05-8db5-6a479b7da668');
    expect(derivedId()).to.equal('da39a3ee-5e6b-5b0d-b255-bfef95601890');
  });

  it('are UUIDs of version 5 and the variant of RFC 9562', () => {
    for (let n = 0; n < 200; n += 1)
      expect(derivedId('any', n)).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
