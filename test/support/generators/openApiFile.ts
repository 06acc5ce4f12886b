/** `node dist/test/support/generators/openApiFile.js FILE`: writes the service's OpenAPI document to a file. */
import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../../../api/openapi/document.js';
import { operations } from '../../../api/operations/index.js';
import { EVENT_SCHEMAS } from '../../../api/operations/webhooks/eventSchemas.js';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('name the file to write');
const document = openApiDocument(operations, 'https://api.shop.test', EVENT_SCHEMAS);
writeFileSync(file, JSON.stringify(document, undefined, 2));
