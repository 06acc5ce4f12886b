import { SAMPLE_FILE, SAMPLE_KEY, type SampleRequest, URL_VARIABLE } from './request.js';

/** A text of several lines; what has a backquote cannot be one. */
const literal = (text: string): string => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``);

const UPLOAD = (field: string): string => `	file, err := os.Open("${SAMPLE_FILE}")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("${field}", "${SAMPLE_FILE}")
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(part, file); err != nil {
		log.Fatal(err)
	}
	form.Close()
`;

/** Returns the expression of the request's body, and the statements before it. */
function bodyOf({ body, upload }: SampleRequest): readonly [string, string] {
  if (upload !== undefined) return ['&body', UPLOAD(upload)];
  if (body === undefined) return ['nil', ''];
  return ['body', `	body := strings.NewReader(${literal(JSON.stringify(body, undefined, 2))})\n`];
}

/** With the standard library alone. */
export function goSample(request: SampleRequest): string {
  const { method, path, secret, body, upload, isKeyed, answers } = request;
  const [sent, before] = bodyOf(request);
  const packages = [
    ...(upload === undefined ? [] : ['bytes', 'mime/multipart']),
    ...(answers === 'file' ? [] : ['fmt']),
    ...(body === undefined ? [] : ['strings']),
    'io',
    'log',
    'net/http',
    'os',
  ].sort();
  const fields = [
    ...(secret === undefined ? [] : [`"Authorization", "Bearer "+os.Getenv("${secret}")`]),
    ...(isKeyed ? [`"Idempotency-Key", "${SAMPLE_KEY}"`] : []),
    ...(body === undefined ? [] : ['"Content-Type", "application/json"']),
    ...(upload === undefined ? [] : ['"Content-Type", form.FormDataContentType()']),
  ];
  const shown =
    answers === 'file'
      ? `	saved, err := os.Create("${SAMPLE_FILE}")
	if err != nil {
		log.Fatal(err)
	}
	defer saved.Close()
	if _, err := io.Copy(saved, answer.Body); err != nil {
		log.Fatal(err)
	}
`
      : `	text, err := io.ReadAll(answer.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Status, string(text))
`;
  return `package main

import (
${packages.map((name) => `	"${name}"\n`).join('')})

func main() {
${before}	request, err := http.NewRequest("${method}", os.Getenv("${URL_VARIABLE}")+"${path}", ${sent})
	if err != nil {
		log.Fatal(err)
	}
${fields.map((field) => `	request.Header.Set(${field})\n`).join('')}	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
${shown}}
`;
}
