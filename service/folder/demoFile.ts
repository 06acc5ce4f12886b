/** Files about the demo store, as commands read them next to a service. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `data/demo.json`. */
export interface DemoFile {
  readonly baseUrl: string;
  readonly partner: { readonly id: string; readonly secretKey: string; readonly publishableKey: string };
  readonly store: {
    readonly workspaceId: string;
    readonly externalRef: string;
    readonly secretKey: string;
    readonly publishableKey: string;
  };
  readonly channel: {
    readonly webhookUrl: string;
    readonly verifyToken: string;
    readonly appSecret: string;
    readonly phoneNumberId: string;
    readonly displayPhoneNumber: string;
    readonly catalogId: string;
  };
  readonly sandbox: { readonly baseUrl: string };
}

/** Exists until the demo store is filled. */
export const SEEDING_FILE = 'demo.unseeded';

/** Demo of the folder; undefined: it has none. */
export function readDemoFile(folder: string): DemoFile | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as DemoFile;
  } catch {
    return undefined;
  }
}

export const isUnseeded = (folder: string): boolean => existsSync(join(folder, SEEDING_FILE));
