import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { CLIENT_FILE, clientTypes } from '../support/consoleClientTypes.js';
import { projectFolder } from '../support/serviceProcess.js';

describe('the console’s client', () => {
  it('has the types of the OpenAPI document (npm run client writes them)', () => {
    expect(readFileSync(join(projectFolder, CLIENT_FILE), 'utf8')).to.equal(clientTypes());
  });
});
