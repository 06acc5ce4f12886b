import { chmodSync, renameSync, writeFileSync } from 'node:fs';

/** Replaces a file in one step, readable by its owner only. */
export function writePrivateFile(path: string, content: string): void {
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, content, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}
