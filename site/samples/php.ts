import { phpLiteral } from './literals.js';
import { SAMPLE_FILE, SAMPLE_KEY, type SampleRequest, URL_VARIABLE } from './request.js';

/** With the extension curl. */
export function phpSample(request: SampleRequest): string {
  const { method, path, secret, body, upload, isKeyed, answers } = request;
  const fields = [
    ...(secret === undefined ? [] : [`'Authorization: Bearer ' . getenv('${secret}')`]),
    ...(isKeyed ? [`'Idempotency-Key: ${SAMPLE_KEY}'`] : []),
    ...(body === undefined ? [] : ["'Content-Type: application/json'"]),
  ];
  const options = [
    `CURLOPT_CUSTOMREQUEST => '${method}'`,
    'CURLOPT_RETURNTRANSFER => true',
    'CURLOPT_TIMEOUT => 30',
    ...(fields.length === 0
      ? []
      : [`CURLOPT_HTTPHEADER => [\n${fields.map((field) => `        ${field},\n`).join('')}    ]`]),
    ...(upload === undefined ? [] : [`CURLOPT_POSTFIELDS => ['${upload}' => new CURLFile('${SAMPLE_FILE}')]`]),
    ...(body === undefined ? [] : [`CURLOPT_POSTFIELDS => json_encode(${phpLiteral(body, '    ')})`]),
  ];
  const shown = answers === 'file' ? `file_put_contents('${SAMPLE_FILE}', $answer);` : 'echo $answer, PHP_EOL;';
  return `<?php

$request = curl_init(getenv('${URL_VARIABLE}') . '${path.replaceAll("'", "\\'")}');
curl_setopt_array($request, [
${options.map((option) => `    ${option},\n`).join('')}]);
$answer = curl_exec($request);
if ($answer === false) {
    throw new RuntimeException(curl_error($request));
}
echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), PHP_EOL;
${shown}
`;
}
