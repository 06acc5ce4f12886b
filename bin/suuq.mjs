#!/usr/bin/env node
import { existsSync } from 'node:fs';

// Before anything is written: what the service and its commands make is for their user alone, whatever the shell says.
process.umask(0o077);

const [major, minor] = process.versions.node.split('.').map(Number);
const main = new URL('../dist/service/cli/main.js', import.meta.url);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Suuq needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exitCode = 1;
} else if (!existsSync(main)) {
  console.error("Suuq is not built yet: run 'npm ci' (or 'npm run build') in its folder first.");
  process.exitCode = 1;
} else {
  await import(main.href);
}
