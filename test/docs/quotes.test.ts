import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { pages, withQuotes } from '../support/quotes.js';
import { projectFolder } from '../support/serviceProcess.js';

describe('code on the pages', () => {
  for (const page of pages(projectFolder))
    it(`is what is compiled and tested: ${page}`, () => {
      const text = readFileSync(join(projectFolder, page), 'utf8');
      expect(text, 'npm run quotes writes it anew').to.equal(withQuotes(projectFolder, text));
    });

  it('is found wherever it is quoted', () => {
    const text = readFileSync(join(projectFolder, 'engine/README.md'), 'utf8');
    const changed = text.replace("name: 'giftCard',", "name: 'voucher',");
    expect(changed).to.not.equal(text);
    expect(withQuotes(projectFolder, changed)).to.equal(text);
  });
});
