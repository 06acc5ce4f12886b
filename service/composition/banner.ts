import type { DemoFile } from './demoStore.js';

/** What a start tells a person: addresses, and for a demo three commands to try. Keys stand in demo.json, not here. */
export function banner(options: {
  readonly baseUrl: string;
  readonly sandboxUrl?: string;
  readonly data: string;
  /** Where the data is, when it is not in the folder. */
  readonly engines?: readonly string[];
  /** Where the event store is served to other programs. */
  readonly endpoint?: string;
  readonly demo?: DemoFile;
  readonly isNew: boolean;
}): string {
  const { baseUrl, sandboxUrl, demo, isNew, engines = [], endpoint } = options;
  // `require` in the commands below takes a relative path only with its dot.
  const data = /^[./]/.test(options.data) ? options.data : `./${options.data}`;
  const place = engines.length === 0 ? `with its data in ${data}` : `on ${engines.join(' and ')}`;
  const lines = [`Suuq runs at ${baseUrl} (open it in a browser), ${place}.`];
  if (endpoint !== undefined) lines.push(`Its event store can be read with any EventStoreDB client at ${endpoint}.`);
  if (sandboxUrl !== undefined) lines.push(`The sandbox, where you act as a customer, is at ${sandboxUrl}.`);
  if (demo !== undefined) {
    const key = `$(node -p "require('${data}/demo.json').store.secretKey")`;
    const store = `${baseUrl}/api/v1/workspaces/${demo.store.workspaceId}/commerce`;
    const auth = `-H "Authorization: Bearer ${key}"`;
    lines.push(
      '',
      isNew ? `A demo partner and store were made; their keys are in ${data}/demo.json. Try:` : 'Try:',
      '',
      `  curl -X PUT ${store}/products/shirt-1 ${auth} \\`,
      `    -H 'Content-Type: application/json' \\`,
      `    -d '{"name":"Cotton shirt","imageUrls":["https://images.example.com/shirt.jpg"],"priceCents":1500}'`,
      '',
      `  curl ${store}/products ${auth}`,
      '',
      `  curl ${store}/orders ${auth}`,
    );
  }
  return `${lines.join('\n')}\n`;
}
