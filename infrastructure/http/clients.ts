/**
 * The package that speaks HTTP to others: loaded with the first call that goes out, since no start needs it.
 *
 * It is a CommonJS package, and loaded as one: if Node.js 20 imports it while other modules are being loaded, such as during a start
 * with pending calls, the import can resolve without any export. No call then went out until the next start.
 */
import { createRequire } from 'node:module';

export type Clients = typeof import('undici');

const require = createRequire(import.meta.url);
let loaded: Clients | undefined;

export const clients = (): Clients => (loaded ??= require('undici') as Clients);
