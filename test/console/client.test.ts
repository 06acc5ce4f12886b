import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../../harness/service/serviceProcess.js';
import { CLIENT_FILE, clientTypes } from '../support/generators/consoleClientTypes.js';

describe('the console’s client', () => {
  it('has the types of the OpenAPI document (npm run client writes them)', () => {
    expect(readFileSync(join(projectFolder, CLIENT_FILE), 'utf8')).to.equal(clientTypes());
  });
});

describe('the console’s modules', () => {
  const root = join(projectFolder, 'console/src');
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const stem = (name: string): string => name.replace(/(\.d)?\.(tsx?|js)$/, '');
  /** Imports of each file from the other files, including types. */
  const imports = new Map(
    names.map((name) => {
      const text = readFileSync(join(root, name), 'utf8');
      const own = [...text.matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g)].map(
        ([, from, later]) => from ?? later!,
      );
      return [stem(name), own.map((path) => stem(normalize(join(dirname(name), path))))] as const;
    }),
  );

  /** Returns an import cycle that contains `from`. dependency-cruiser checks the other files, but reads no TSX. */
  function circle(from: string, way: readonly string[] = [], seen = new Set<string>()): readonly string[] | undefined {
    if (way.includes(from)) return [...way.slice(way.indexOf(from)), from];
    if (seen.has(from)) return undefined;
    seen.add(from);
    for (const next of imports.get(from) ?? []) {
      const found = circle(next, [...way, from], seen);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  it('have no circular imports', () => {
    expect(imports.get('app'), 'what app.tsx imports').to.include('frame/frame');
    expect([...imports.keys()].map((name) => circle(name)).filter((found) => found !== undefined)).to.deep.equal([]);
  });

  it('import only lower folders', () => {
    const order = ['styles', 'api', 'embed', 'ui', 'phone', 'pages', 'frame', 'app', 'embedded', 'main'];
    const place = (name: string): number => order.indexOf(name.split('/')[0]!);
    expect([...imports.keys()].filter((name) => place(name) < 0)).to.deep.equal([]);
    const wrong = [...imports].flatMap(([name, own]) =>
      own.filter((one) => !one.startsWith('..') && place(one) > place(name)).map((one) => `${name} → ${one}`),
    );
    expect(wrong).to.deep.equal([]);
  });
});
