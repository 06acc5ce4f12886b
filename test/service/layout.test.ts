import { expect } from 'chai';
import { written } from '../../service/admin/layout.js';
import { table } from '../../service/admin/text.js';

describe('a table with names in any script', () => {
  const names = ['Xamar', '北京商店', 'مُحَمَّد', 'Café', '한국 가게', '👨‍👩‍👧'];
  const stores = table(
    ['NAME', 'ID'],
    names.map((name, i) => [name, `store-${i}`]),
    'No stores.',
  );
  /** Widths in terminal columns, counted by hand. */
  const COLUMNS: Readonly<Record<string, number>> = {
    Xamar: 5,
    北京商店: 8,
    مُحَمَّد: 4,
    Café: 4,
    '한국 가게': 9,
  };

  it('has aligned columns', () => {
    const [, ...rows] = written(stores).split('\n');
    for (const row of rows.slice(0, 5)) {
      const [, name, blanks] = /^(.*?)( {2,})store-\d$/.exec(row)!;
      expect(COLUMNS[name!]! + blanks!.length, row).to.equal(9 + 2);
    }
  });

  it('fits a narrow terminal, and splits no character', () => {
    const long = table(['ID', 'NAME'], [['store-1', '北京商店'.repeat(4)]], '');
    const [, row] = written(long, { columns: 20, styled: false }).split('\n');
    expect(row).to.equal('store-1  北京商店北…');
    const signs = table(['ID', 'NAME'], [['store-1', 'مُ'.repeat(20)]], '');
    expect(written(signs, { columns: 20, styled: false }).split('\n')[1]).to.equal(`store-1  ${'مُ'.repeat(10)}…`);
  });

  it('wraps long content in lines that fit', () => {
    const lines = written({ lead: '', note: '北京商店'.repeat(5) }, { columns: 30, styled: false }).split('\n');
    expect(lines).to.deep.equal([`${'北京商店'.repeat(3)}北京商`, '店北京商店']);
  });
});
