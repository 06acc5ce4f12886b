/**
 * Runs guides as programs. A block of code under a line such as "`api/operations/index.ts`:" is that file. A block
 * under "`api/operations/index.ts`, after `...catalogOperations,`:" is inserted into the file after that line.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Step {
  readonly file: string;
  /** Line after which the code is inserted; undefined: the code is the whole file. */
  readonly after: string | undefined;
  readonly code: string;
}

const STEP = /^`([^`\n]+)`(?:, after `([^`\n]+)`)?:\n\n(?:<!--[^\n]*-->\n\n)?```ts\n([\s\S]*?)^```$/gm;
const BLOCK = /^```ts$/gm;

/** Returns the steps of a guide, in order. Throws if a block of code names no file. */
export function stepsOf(page: string): Step[] {
  const steps = [...page.matchAll(STEP)].map(([, file, after, code]) => ({ file: file!, after, code: code! }));
  const blocks = page.match(BLOCK)?.length ?? 0;
  if (steps.length !== blocks) throw new Error(`${blocks - steps.length} blocks of code name no file`);
  return steps;
}

/** Applies a step to the project in `root`. A new file must not exist yet; a line must occur once in its file. */
export function follow(root: string, { file, after, code }: Step): void {
  const path = join(root, file);
  if (after === undefined) {
    if (existsSync(path)) throw new Error(`${file} is there already`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
    return;
  }
  const lines = readFileSync(path, 'utf8').split('\n');
  const places = lines.flatMap((line, at) => (line.trim() === after ? [at] : []));
  if (places.length !== 1) throw new Error(`${file} has ${places.length} lines '${after}'`);
  lines.splice(places[0]! + 1, 0, code.trimEnd());
  writeFileSync(path, lines.join('\n'));
}
