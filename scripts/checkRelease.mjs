#!/usr/bin/env node
/**
 * Checks that this tree can be tagged as the release in package.json: `node scripts/checkRelease.mjs`. Prints everything that is missing.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const changelog = readFileSync(new URL('CHANGELOG.md', root), 'utf8');
const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' });

const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm').exec(changelog);
const behind = heading === null ? '' : changelog.slice(heading.index + heading[0].length).split(/^## /m, 1)[0];
const missing = [
  !/^\d+\.\d+\.\d+$/.test(version) && `package.json: '${version}' is no version such as 1.2.0.`,
  heading === null && `CHANGELOG.md: there is no heading '## ${version} (YYYY-MM-DD)'.`,
  heading !== null && behind.trim() === '' && `CHANGELOG.md: nothing is said of ${version}.`,
  !existsSync(new URL(`test/releases/${version}/data.tar.gz`, root)) &&
    `test/releases/${version}: no data folder is kept. Run 'npm run keep-release' and commit it.`,
  git('tag', '--list', `v${version}`).trim() !== '' && `The tag v${version} is there already: choose the next version.`,
  git('status', '--porcelain').trim() !== '' && 'The tree has changes that are not committed.',
].filter(Boolean);
for (const line of missing) console.error(line);
if (missing.length === 0) console.log(`v${version} can be tagged.`);
process.exitCode = missing.length === 0 ? 0 : 1;
