/** Writes test/vectors/differences.json: our answers to the scenarios that differ from the recorded ones. Read the diff. */
import { writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { readTranscripts, runOffered, vectorFile } from '../protocol/vectorRun.js';

const recorded = readTranscripts(vectorFile('eventstoredb/recorded-23.10.8.json'));
const differing = Object.entries(await runOffered())
  .filter(([name, { transcript }]) => !isDeepStrictEqual(transcript, recorded[name]?.transcript))
  .sort(([a], [b]) => (a < b ? -1 : 1));
const scenarios = Object.fromEntries(differing);
writeFileSync(vectorFile('differences.json'), `${JSON.stringify({ scenarios }, null, 1)}\n`);
process.stdout.write(`${differing.length} scenarios differ: ${differing.map(([name]) => name).join(', ')}\n`);
