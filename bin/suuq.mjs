#!/usr/bin/env node
import { existsSync, statSync } from 'node:fs';

// Set before any file is created: files of the service and its commands are private, whatever the shell's umask.
process.umask(0o077);

const [major, minor] = process.versions.node.split('.').map(Number);
const built = (path) => new URL(`../dist/${path}`, import.meta.url);
const modules = built('cli/main.js');
// The same in a few files, which start in half the time.
const bundle = built('bundled/cli.main.js');

const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs;
/** Not when modules were compiled after it, without `npm run build`: then they are what is meant. */
const main = changedAt(bundle) >= (changedAt(built('.tsbuildinfo')) ?? 0) ? bundle : modules;

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Suuq needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exitCode = 1;
} else if (!existsSync(main)) {
  console.error("Suuq is not built yet: run 'npm ci' (or 'npm run build') in its folder first.");
  process.exitCode = 1;
} else {
  await import(main.href);
}
