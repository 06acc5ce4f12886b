/**
 * A page of a partner with the store's screens in it. The server signs a user token for its user; the page hands the
 * token to the frame. Next to a running `npm start`, run `npm run embed` and open http://127.0.0.1:4030.
 */
import { spawnSync } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PORT = 4030;
const EMBED = fileURLToPath(new URL('../client/embed/src/index.js', import.meta.url));
const COMMAND = fileURLToPath(new URL('../../bin/suuq.mjs', import.meta.url));
const ROLES = ['owner', 'admin', 'supervisor', 'agent', 'viewer'] as const;
type Role = (typeof ROLES)[number];

export interface PartnerPage {
  /** Address of the service. */
  readonly baseUrl: string;
  readonly publishableKey: string;
  /** Signs user tokens. It never leaves the server. */
  readonly secretKey: string;
  /** The partner's reference of the store. */
  readonly externalRef: string;
}

const page = ({ baseUrl, publishableKey }: PartnerPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Bakaaro, a platform for shops</title>
<style>
body { font-family: system-ui, sans-serif; margin: 0; display: grid; grid-template-rows: auto 1fr; height: 100vh; }
header { display: flex; gap: 1rem; align-items: center; padding: .6rem 1rem; border-bottom: 1px solid #ccc; }
</style>
</head>
<body>
<header>
<strong>Bakaaro</strong>
<label>Signed in as <select id="role">${ROLES.map((role) => `<option>${role}</option>`).join('')}</select></label>
<label>Page <select id="view"><option value="">all</option><option>orders</option><option>inbox</option><option>catalog</option></select></label>
<span>Unread: <b id="unread">0</b></span>
<span id="path"></span>
<span id="error" role="alert"></span>
</header>
<div id="store"></div>
<script type="module">
import { mount } from '/embed.js';
const by = (id) => document.getElementById(id);
let mounted;
function show() {
  mounted?.unmount();
  by('error').textContent = '';
  const role = by('role').value;
  mounted = mount(by('store'), {
    baseUrl: ${JSON.stringify(baseUrl)},
    publishableKey: ${JSON.stringify(publishableKey)},
    view: by('view').value || undefined,
    userToken: async () => (await fetch('/user-token?role=' + role)).text(),
    onNavigate: (path) => { by('path').textContent = path; },
    onUnread: (count) => { by('unread').textContent = count; },
    onError: ({ code, message }) => { by('error').textContent = code + ': ' + message; },
  });
}
const given = new URLSearchParams(location.search);
for (const id of ['role', 'view']) if (given.has(id)) by(id).value = given.get(id);
by('role').onchange = by('view').onchange = show;
show();
</script>
</body>
</html>
`;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const SECONDS = 300;

/** Signs a user token for the user of a role (docs/guides/sessions.md). */
function tokenFor({ secretKey, externalRef }: PartnerPage, role: Role): string {
  const exp = Math.floor(Date.now() / 1000) + SECONDS;
  const claims = {
    sub: `sample-${role}`,
    name: `Sample ${role}`,
    stores: [{ externalRef, role }],
    jti: randomUUID(),
    exp,
  };
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', secretKey).update(signed).digest('base64url')}`;
}

/** Serves the page. `settings` is called for each request, since the key needs this page's origin first. */
export async function servePartnerPage(
  settings: () => PartnerPage,
  port = 0,
): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://page');
    const answer = (type: string, body: string): void =>
      void response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
    if (pathname === '/embed.js') answer('text/javascript', readFileSync(EMBED, 'utf8'));
    else if (pathname === '/user-token') {
      const role = ROLES.find((one) => one === searchParams.get('role')) ?? 'viewer';
      answer('text/plain', tokenFor(settings(), role));
    } else if (pathname === '/') answer('text/html; charset=utf-8', page(settings()));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

interface DemoFile {
  readonly store: { readonly externalRef: string };
  readonly partner: { readonly id: string; readonly secretKey: string };
}

/** Creates a publishable key of the demo's partner for this origin. */
function publishableKeyFor(origin: string, partnerId: string): string {
  const words = ['admin', 'keys', 'create', '--partner', partnerId, '--mode', 'test', '--kind', 'publishable'];
  const ran = spawnSync(process.execPath, [COMMAND, ...words, '--origins', origin, '--json'], { encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(ran.stderr);
  return (JSON.parse(ran.stdout) as { key: string }).key;
}

async function main(): Promise<void> {
  const data = process.env.SUUQ_DATA ?? 'data';
  const demo = JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8')) as DemoFile;
  const baseUrl = process.env.SUUQ_URL ?? 'http://127.0.0.1:3000';
  let settings: PartnerPage | undefined;
  const { url } = await servePartnerPage(() => settings!, PORT);
  const { secretKey, id } = demo.partner;
  settings = { baseUrl, secretKey, externalRef: demo.store.externalRef, publishableKey: publishableKeyFor(url, id) };
  process.stdout.write(`A partner's page with the demo store in it: ${url}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
