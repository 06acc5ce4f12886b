import { pythonLiteral } from './literals.js';
import { SAMPLE_FILE, SAMPLE_KEY, type SampleRequest, URL_VARIABLE } from './request.js';

/** With `requests`, which people have. */
export function pythonSample(request: SampleRequest): string {
  const { method, path, query, secret, body, upload, isKeyed, answers } = request;
  const headers = [
    ...(secret === undefined ? [] : [`"Authorization": f"Bearer {os.environ['${secret}']}"`]),
    ...(isKeyed ? [`"Idempotency-Key": "${SAMPLE_KEY}"`] : []),
  ];
  const [bare] = path.split('?') as [string];
  const lines = [
    `os.environ["${URL_VARIABLE}"] + "${bare}"`,
    ...(Object.keys(query).length === 0 ? [] : [`params=${pythonLiteral(query, '    ')}`]),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    ...(upload === undefined ? [] : [`files={"${upload}": open("${SAMPLE_FILE}", "rb")}`]),
    ...(body === undefined ? [] : [`json=${pythonLiteral(body, '    ')}`]),
    `timeout=${upload === undefined && answers !== 'file' ? 30 : 600}`,
  ];
  const shown =
    answers === 'json'
      ? 'print(answer.json())\n'
      : answers === 'file'
        ? `with open("${SAMPLE_FILE}", "wb") as file:\n    file.write(answer.content)\n`
        : 'print(answer.status_code)\n';
  return `import os

import requests

answer = requests.${method.toLowerCase()}(
${lines.map((line) => `    ${line},\n`).join('')})
answer.raise_for_status()
${shown}`;
}
