import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../../harness/service/serviceProcess.js';
import { eventStreams } from '../../service/composition/events.js';
import { pages, withQuotes } from '../support/generators/quotes.js';

describe('code on the pages', () => {
  for (const page of pages(projectFolder))
    it(`equals compiled and tested code: ${page}`, () => {
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

describe('names on the pages', () => {
  const filesIn = (folder: string): string[] =>
    readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`);
  const files =
    `domain engine projections application infrastructure api service upkeep cli client console site harness test bench scripts tools bin`
      .split(' ')
      .flatMap(filesIn);
  /** Guides name files that their reader writes. */
  const guides = /add-an?-(projection|operation)\.md$/;
  const named = [...filesIn('docs'), 'README.md', 'CONTRIBUTING.md', 'engine/README.md']
    .filter((page) => page.endsWith('.md') && !guides.test(page))
    .map((page) => ({ page, text: readFileSync(join(projectFolder, page), 'utf8').replace(/```[\s\S]*?```/g, '') }));

  it('exist as files, by path or its end', () => {
    const missing = named.flatMap(({ page, text }) =>
      [...text.matchAll(/`((?:\.\.?\/)*[\w./-]+\.(?:tsx?|sh|cjs))`/g)]
        .map(([, name]) => name!.replace(/^(\.\.?\/)+/, ''))
        .filter((name) => !existsSync(join(projectFolder, name)) && !files.some((file) => file.endsWith(`/${name}`)))
        .map((name) => `${page}: ${name}`),
    );
    expect(missing).to.deep.equal([]);
  });

  it('exist as stored events and streams of an order', () => {
    const { text } = named.find(({ page }) => page === 'docs/internals/life-of-an-order.md')!;
    const events = new Set(eventStreams.flatMap((stream) => Object.keys(stream.events)));
    const reported = [...text.matchAll(/`([A-Z][a-z]+(?:[A-Z][a-z]+)+)`/g)].map(([, name]) => name!);
    expect(reported.length).to.be.above(15);
    expect(reported.filter((name) => !events.has(name))).to.deep.equal([]);
    const streams = [...text.matchAll(/`(\w+)-(?:…|\{\w+\})`/g)].map(([, name]) => name!);
    const categories = new Set(eventStreams.map(({ stream }) => stream.split('-')[0]));
    expect(streams.length).to.be.above(4);
    expect(streams.filter((name) => !categories.has(name))).to.deep.equal([]);
  });
});
