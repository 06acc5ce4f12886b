import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { operations } from '../../api/operations/index.js';
import { createClient } from '../../client/src/index.js';
import { projectFolder } from '../../harness/service/serviceProcess.js';
import { GENERATED_FILE, generatedClient } from '../support/generators/clientSource.js';

describe('the package client', () => {
  it('matches the OpenAPI document (npm run client writes it)', () => {
    expect(readFileSync(join(projectFolder, GENERATED_FILE), 'utf8')).to.equal(generatedClient());
  });

  it('has a function for each operation, and an iterator for each with pages', () => {
    const suuq = createClient({ baseUrl: 'https://api.example.com' });
    expect(Object.keys(suuq)).to.have.members(operations.map(({ id }) => id));
    const walked = Object.entries(suuq).filter(([, method]) => 'each' in method);
    const paged = operations.filter(({ query = {} }) => 'cursor' in query);
    expect(walked.map(([id]) => id)).to.have.members(paged.map(({ id }) => id));
  });

  it('needs no package, and nothing specific to Node', () => {
    const manifest = JSON.parse(readFileSync(join(projectFolder, 'client/package.json'), 'utf8'));
    expect(manifest).to.not.have.any.keys('dependencies', 'peerDependencies');
    const { compilerOptions } = JSON.parse(readFileSync(join(projectFolder, 'client/tsconfig.json'), 'utf8'));
    expect(compilerOptions.types, 'checked by npm run lint without the types of Node').to.deep.equal([]);
  });
});
