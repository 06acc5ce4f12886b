import { SAMPLE_FILE, SAMPLE_KEY, type SampleRequest, URL_VARIABLE } from './request.js';

/** Inside a shell's single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** For a POSIX shell, with the variables exported. */
export function curlSample(request: SampleRequest): string {
  const { method, path, secret, body, upload, isKeyed, answers } = request;
  const lines = [`curl "$${URL_VARIABLE}${path}"`];
  // Curl posts by itself what has a body.
  const itself = body !== undefined || upload !== undefined ? 'POST' : 'GET';
  if (method !== itself) lines.push(`-X ${method}`);
  if (secret !== undefined) lines.push(`-H "Authorization: Bearer $${secret}"`);
  if (isKeyed) lines.push(`-H ${quoted(`Idempotency-Key: ${SAMPLE_KEY}`)}`);
  if (upload !== undefined) lines.push(`-F ${quoted(`${upload}=@${SAMPLE_FILE}`)}`);
  if (body !== undefined)
    lines.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, undefined, 2))}`);
  if (answers === 'file') lines.push(`-o ${SAMPLE_FILE}`);
  return `${lines.join(' \\\n  ')}\n`;
}
