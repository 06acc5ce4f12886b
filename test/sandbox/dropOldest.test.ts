import { expect } from 'chai';
import { dropOldest } from '../../infrastructure/dropOldest.js';

describe('a list with a limit', () => {
  it('drops the oldest beyond the limit', () => {
    const ids = new Set(['a', 'b']);
    dropOldest(ids, 2);
    expect([...ids]).to.deep.equal(['a', 'b']);
    ids.add('c');
    dropOldest(ids, 2);
    expect([...ids]).to.deep.equal(['b', 'c']);
    const files = new Map([
      ['a', 1],
      ['b', 2],
    ]);
    dropOldest(files, 1);
    expect([...files.keys()]).to.deep.equal(['b']);
  });
});
