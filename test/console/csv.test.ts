/** Downloads of the console as CSV. */
import { expect } from 'chai';
import { csvOf, csvUrl } from '../../console/src/ui/csv.js';

describe('a CSV download of the console', () => {
  it('escapes text that a spreadsheet would compute, and no number', () => {
    const cells = ['=1+1', '+252615550101', '-5', '@SUM(A1)', ' =cmd', 'Asha', 12.5];
    expect(csvOf(['a'], [cells])).to.equal(`a\r\n'=1+1,+252615550101,-5,'@SUM(A1),' =cmd,Asha,12.5\r\n`);
  });

  it('quotes commas, quotes and line breaks by RFC 4180', () => {
    expect(csvOf(['a', 'b'], [['x,y', 'say "hi"\nagain']])).to.equal('a,b\r\n"x,y","say ""hi""\nagain"\r\n');
  });

  it('begins with the mark of UTF-8', () => {
    expect(decodeURIComponent(csvUrl(['a'], []))).to.match(/,\uFEFFa/);
  });
});
