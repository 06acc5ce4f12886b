/** Scope of cursors. Every instance with the same master key accepts them, also during a key rotation. */
import { expect } from 'chai';
import { type CursorScope, decodeCursor, encodeCursor } from '../../api/contract/cursor.js';
import { createAuthenticator } from '../../infrastructure/secrets/authenticator.js';

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const instance = (...keys: Buffer[]) => createAuthenticator(keys, 'cursors');
const SCOPE: CursorScope = {
  operation: 'listMessages',
  owner: '00000000-0000-4000-8000-0000000000a1',
  params: { conversationId: 'c1' },
  sort: ['-place'],
};
const PLACE = [17, 'm1'];

describe('a cursor', () => {
  const cursor = encodeCursor(instance(OLD), SCOPE, PLACE);
  const taken = (by: ReturnType<typeof instance>, scope = SCOPE, text = cursor): unknown => {
    try {
      return decodeCursor(by, scope, text);
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  it('is accepted by another instance with the same key, also next to a newer key', () => {
    expect(taken(instance(OLD))).to.deep.equal(PLACE);
    expect(taken(instance(NEW, OLD))).to.deep.equal(PLACE);
    expect(taken(instance(OLD, NEW), SCOPE, encodeCursor(instance(NEW, OLD), SCOPE, PLACE))).to.deep.equal(PLACE);
    expect(taken(instance(NEW))).to.equal('invalid_cursor');
    expect(taken(createAuthenticator([OLD], 'another purpose'))).to.equal('invalid_cursor');
  });

  it('is valid only for its operation, owner, path and order', () => {
    const others: Partial<CursorScope>[] = [
      { operation: 'listOrders' },
      { owner: '00000000-0000-4000-8000-0000000000a2' },
      { owner: undefined },
      { params: { conversationId: 'c2' } },
      { params: {} },
      { sort: ['place'] },
      { sort: [] },
    ];
    for (const other of others)
      expect(taken(instance(OLD), { ...SCOPE, ...other }), JSON.stringify(other)).to.equal('invalid_cursor');
  });

  it('fits the longest names into the length limit of a query parameter', () => {
    const longest = encodeCursor(instance(OLD), SCOPE, ['𐐨'.repeat(200), `${SCOPE.owner}/${'x'.repeat(100)}`]);
    expect(longest.length).to.be.at.most(2_048);
  });
});
