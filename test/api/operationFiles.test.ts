import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { operations } from '../../api/operations/index.js';

const API = new URL('../../../api/operations/', import.meta.url);
const areas = readdirSync(API, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(new URL(`${entry.name}/index.ts`, API)))
  .map(({ name }) => name);

/**
 * Returns the file of an operation. Webhook operations share one declaration for stores and partners, and all histories
 * share another.
 */
const fileOf = (id: string, names: ReadonlySet<string>): string =>
  names.has(id) ? id : id.replace(/Partner(?=Webhook)/, '').replace(/^(list|compare)\w+History$/, '$1HistoryOf');

describe('the files of the operations', () => {
  const declaring = areas.flatMap((area) =>
    readdirSync(new URL(`${area}/`, API))
      .map((file) => ({ area, file, text: readFileSync(new URL(`${area}/${file}`, API), 'utf8') }))
      .filter(({ text }) => /\boperation\(\{/.test(text)),
  );

  it('hold one operation each, and are named after it', () => {
    const names = new Set(declaring.map(({ file }) => file.replace(/\.ts$/, '')));
    const expected = new Set(operations.map(({ id }) => fileOf(id, names)));
    expect([...names]).to.have.members([...expected]);
    for (const { area, file, text } of declaring)
      expect(text.match(/\boperation\(\{/g), `api/operations/${area}/${file}`).to.have.lengthOf(1);
  });

  it('are listed in the index of their area', () => {
    for (const { area, file } of declaring) {
      const list = readFileSync(new URL(`${area}/index.ts`, API), 'utf8');
      expect(list, `api/operations/${area}/index.ts`).to.include(`from './${file.replace(/\.ts$/, '.js')}'`);
    }
  });
});
