/** Facts about this release from package.json. */
import { readFileSync } from 'node:fs';

export interface Release {
  readonly version: string;
  /** Versions of Node that it takes, such as >=20.19.0. */
  readonly nodeNeeded: string;
}

const manifest = new URL('../../package.json', import.meta.url);
const { version, engines } = JSON.parse(readFileSync(manifest, 'utf8')) as {
  readonly version: string;
  readonly engines: { readonly node: string };
};

export const release: Release = { version, nodeNeeded: engines.node };
