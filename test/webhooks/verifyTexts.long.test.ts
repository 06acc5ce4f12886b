/** Verification code of the console, run in each language against real signatures of deliveries. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { signatureOf } from '../../application/webhooks/signature.js';
import { projectFolder } from '../../harness/service/serviceProcess.js';

const FOLDER = join(projectFolder, 'console/verify');
const NOW = 1_795_305_600;
const SECRETS = ['whsec_named-and-fixed', 'whsec_the-one-before'] as const;
const BODY = '{"name":"حمدي <b>","id":1}';
const good = signatureOf(SECRETS, NOW * 1000, BODY);
const [t, one, other] = good.split(',') as [string, string, string];

/** Marks a missing header, in languages that can represent one. */
const NONE = '(none)';

interface Case {
  readonly name: string;
  readonly isValid: boolean;
  readonly body?: string;
  readonly header?: string;
  readonly secret?: string;
  readonly now?: number;
}

const CASES: readonly Case[] = [
  { name: 'as it is sent', isValid: true },
  { name: 'with the previous secret', isValid: true, secret: SECRETS[1] },
  { name: 'in another order', isValid: true, header: [other, one, t].join(',') },
  { name: 'five minutes later', isValid: true, now: NOW + 300 },
  { name: 'after more than five minutes', isValid: false, now: NOW + 301 },
  { name: 'from the future', isValid: false, now: NOW - 301 },
  { name: 'another body', isValid: false, body: `${BODY} ` },
  { name: 'another secret', isValid: false, secret: 'whsec_of-somebody-else' },
  { name: 'another time', isValid: false, header: good.replace(t, `t=${NOW + 1}`) },
  { name: 'no time', isValid: false, header: `${one},${other}` },
  { name: 'a time that is not a number', isValid: false, header: `t=now,${one}` },
  { name: 'no signature', isValid: false, header: t },
  { name: 'a truncated signature', isValid: false, header: `${t},${one.slice(0, -2)}` },
  { name: 'an empty one', isValid: false, header: `${t},v1=,v1` },
  { name: 'letters that are not hex', isValid: false, header: `${t},v1=${'ß'.repeat(64)}` },
  { name: 'a time in other digits', isValid: false, header: `t=²,${one}` },
  { name: 'a time without end', isValid: false, header: `t=${'9'.repeat(5000)},${one}` },
  { name: 'nothing', isValid: false, header: '' },
  { name: 'no header', isValid: false, header: NONE },
];

/** Cases as the programs below read them, one per line: body in hex, header, secret and time, separated by tabs. */
const lines = CASES.map(({ body = BODY, header = good, secret = SECRETS[0], now = NOW }) =>
  [Buffer.from(body).toString('hex'), header, secret, now].join('\t'),
).join('\n');

interface Language {
  readonly file: string;
  readonly command: string;
  readonly version: string;
  /** Returns the files and arguments of a program that reads the lines and writes true or false for each. */
  program(text: string): { readonly files: Readonly<Record<string, string>>; readonly args: readonly string[] };
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  Node: {
    ...{ file: 'verify.js', command: process.execPath, version: '--version' },
    program: (text) => ({
      files: {
        'verify.mjs': text,
        'main.mjs': `import { readFileSync } from 'node:fs';
import { verified } from './verify.mjs';
for (const line of readFileSync(0, 'utf8').split('\\n')) {
  const [body, header, secret, now] = line.split('\\t');
  console.log(verified(Buffer.from(body, 'hex'), header === '${NONE}' ? undefined : header, secret, Number(now)));
}`,
      },
      args: ['main.mjs'],
    }),
  },
  Python: {
    ...{ file: 'verify.py', command: 'python3', version: '--version' },
    program: (text) => ({
      files: {
        'main.py': `${text}
import sys
for line in sys.stdin.buffer.read().decode().split("\\n"):
    body, header, secret, now = line.split("\\t")
    given = None if header == "${NONE}" else header
    print(str(verified(bytes.fromhex(body), given, secret, int(now))).lower())
`,
      },
      args: ['main.py'],
    }),
  },
  Go: {
    ...{ file: 'verify.go', command: 'go', version: 'version' },
    program: (text) => ({
      files: {
        'go.mod': 'module verify\n\ngo 1.21\n',
        'verify.go': text.replace('package webhooks', 'package main'),
        'main.go': `package main
import ("bufio"; "encoding/hex"; "fmt"; "os"; "strconv"; "strings"; "time")
func main() {
	scanner := bufio.NewScanner(os.Stdin)
	for scanner.Scan() {
		parts := strings.Split(scanner.Text(), "\\t")
		body, _ := hex.DecodeString(parts[0])
		now, _ := strconv.ParseInt(parts[3], 10, 64)
		fmt.Println(Verified(body, parts[1], parts[2], time.Unix(now, 0)))
	}
}
`,
      },
      args: ['run', '.'],
    }),
  },
  Java: {
    ...{ file: 'Verify.java', command: 'java', version: '-version' },
    program: (text) => ({
      files: {
        // Java runs the first class of the file.
        'Main.java': `${text.slice(0, text.indexOf('final class'))}
class Main {
  public static void main(String[] none) throws Exception {
    for (String line : new String(System.in.readAllBytes(), StandardCharsets.UTF_8).split("\\n")) {
      String[] parts = line.split("\\t");
      String header = parts[1].equals("${NONE}") ? null : parts[1];
      System.out.println(Verify.verified(HexFormat.of().parseHex(parts[0]), header, parts[2], Long.parseLong(parts[3])));
    }
  }
}
${text.slice(text.indexOf('final class'))}`,
      },
      args: ['Main.java'],
    }),
  },
};

for (const [name, { file, command, version, program }] of Object.entries(LANGUAGES))
  describe(`verifying deliveries in ${name}, as the console shows it,`, () => {
    let folder: string;
    before(function () {
      if (spawnSync(command, [version]).status !== 0) this.skip();
      folder = mkdtempSync(join(tmpdir(), 'suuq-verify-'));
    });
    after(() => {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    });

    it('accepts only what was signed recently', function () {
      this.timeout(120_000);
      const { files, args } = program(readFileSync(join(FOLDER, file), 'utf8'));
      for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
      const env = { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=mod', GOCACHE: join(folder, 'cache') };
      const ran = spawnSync(command, args, { cwd: folder, input: lines, encoding: 'utf8', timeout: 110_000, env });
      expect(ran.status, ran.stderr).to.equal(0);
      const answers = ran.stdout.trim().split('\n');
      expect(CASES.map((one, i) => `${one.name}: ${answers[i]}`)).to.deep.equal(
        CASES.map((one) => `${one.name}: ${one.isValid}`),
      );
    });
  });

describe('verifying deliveries in TypeScript, as the console shows it,', () => {
  it('names what the client exports', async () => {
    const text = readFileSync(join(FOLDER, 'client.txt'), 'utf8');
    const { verifyWebhook, WebhookRefused } = await import('../../client/src/index.js');
    expect(/^import \{ (.+) \} from '@suuq\/client';/.exec(text)?.[1]).to.equal(
      [verifyWebhook, WebhookRefused].map(({ name }) => name).join(', '),
    );
  });
});
