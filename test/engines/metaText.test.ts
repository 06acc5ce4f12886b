/** Metadata extracted from its text equals the result of parsing the text, whatever the text contains. */
import { expect } from 'chai';
import { metaIn } from '../../infrastructure/sqlite/eventStore/metaText.js';

const AT = '2026-01-01T09:00:00.000Z';
const BASE = { at: AT, actor: { type: 'member', id: 'm1' }, correlationId: 'c1' };

describe('stored metadata', () => {
  const stored: readonly object[] = [
    BASE,
    { ...BASE, actor: { type: 'system' }, causationId: 'e1', workspaceId: 'w1', partnerId: 'p1' },
    { ...BASE, partnerId: 'p1' },
    { ...BASE, causationId: '' },
    { ...BASE, actor: { type: 'customer', id: null }, workspaceId: 'w1' },
    { ...BASE, actor: { type: 'customer', id: 'Cawaale "Ö" \\ \u001f\n' } },
    { ...BASE, actor: { type: 'customer', id: '","correlationId":"c2' } },
    { ...BASE, workspaceId: 'w1', operator: 'root' },
    { ...BASE, schema: 2, traceparent: '00-1-2-01' },
    { actor: { type: 'system' }, at: AT, correlationId: 'c1' },
    { correlationId: 7 },
    [],
  ];
  for (const one of stored)
    it(`are read as ${JSON.stringify(one)}`, () => {
      const text = JSON.stringify(one);
      expect(JSON.stringify(metaIn(text))).to.equal(text);
      expect(metaIn(text)).to.deep.equal(one);
      // Another program may format it like this.
      expect(metaIn(JSON.stringify(one, undefined, 1))).to.deep.equal(one);
    });

  it('are rejected if they are not JSON', () => {
    const text = JSON.stringify({ ...BASE, workspaceId: 'w1' });
    for (const broken of [`${text}}`, text.slice(0, -1), text.replace('w1', 'w\n1'), text.replace('w1', 'w"1'), ''])
      expect(() => metaIn(broken), broken).to.throw(SyntaxError);
  });
});
