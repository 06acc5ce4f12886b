import { typescriptLiteral } from './literals.js';
import { SAMPLE_FILE, type SampleRequest, URL_VARIABLE } from './request.js';

/** Returns the variable for the answer: the last word of the operation's id, such as `promotion`. */
function answerName(id: string): string {
  const word = /[A-Z][a-z]+$/.exec(id)?.[0] ?? 'Answer';
  return word.charAt(0).toLowerCase() + word.slice(1);
}

const singular = (name: string): string =>
  name
    .replace(/ies$/, 'y')
    .replace(/(?<=[cs]h|s)es$/, '')
    .replace(/(?<!s)s$/, '');

/** Returns the call that `await` is applied to. */
function called({ id, answers, isList, upload }: SampleRequest, args: string): string {
  const call = `suuq.${id}(${args})`;
  if (isList) {
    const item = singular(answerName(id));
    return `for await (const ${item} of suuq.${id}.each(${args})) {\n  console.log(${item});\n}`;
  }
  if (answers === 'nothing') return `await ${call};`;
  if (answers === 'file')
    return `const { stream } = await ${call};\nif (stream !== null) await writeFile('${SAMPLE_FILE}', stream);`;
  const name = upload === undefined ? answerName(id) : 'file';
  return `const ${name} = await ${call};\nconsole.log(${name});`;
}

function argumentsOf({ params, query, body, upload, isList }: SampleRequest): string {
  const lines = [
    ...Object.entries(params).map(([name, value]) => `${name}: ${typescriptLiteral(value)}`),
    ...Object.entries(isList ? {} : query).map(([name, value]) => `${name}: ${typescriptLiteral(value)}`),
    ...(upload === undefined
      ? []
      : [`file: { content: await openAsBlob('${SAMPLE_FILE}'), filename: '${SAMPLE_FILE}' }`]),
    ...(body === undefined ? [] : [`body: ${typescriptLiteral(body, '  ')}`]),
  ];
  if (lines.length === 0) return '';
  const short = `{ ${lines.join(', ')} }`;
  return short.length <= 60 && !short.includes('\n') ? short : `{\n${lines.map((line) => `  ${line},\n`).join('')}}`;
}

/** With the project's client. */
export function typescriptSample(request: SampleRequest): string {
  const { secret, upload, answers } = request;
  const imports = [
    ...(upload === undefined ? [] : ["import { openAsBlob } from 'node:fs';"]),
    ...(answers === 'file' ? ["import { writeFile } from 'node:fs/promises';"] : []),
    "import { createClient } from '@suuq/client';",
  ];
  const credential = secret === undefined ? '' : `, credential: process.env.${secret}!`;
  return `${imports.join('\n')}

const suuq = createClient({ baseUrl: process.env.${URL_VARIABLE}!${credential} });

${called(request, argumentsOf(request))}
`;
}
