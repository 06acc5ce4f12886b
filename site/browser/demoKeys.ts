/** The keys of this service's demo, where the reader is signed in to the console as its operator. */

export interface DemoKeys {
  readonly store: { readonly workspaceId: string; readonly externalRef: string; readonly secretKey: string };
  readonly partner: { readonly secretKey: string };
}

const WITHIN_MS = 5000;

/** Undefined: nobody is signed in, there is no demo, or the console is elsewhere. */
export async function fetchDemoKeys(): Promise<DemoKeys | undefined> {
  try {
    const signal = AbortSignal.timeout(WITHIN_MS);
    const answer = await fetch('/console/api/demo', {
      signal,
      cache: 'no-store',
      headers: { accept: 'application/json' },
    });
    return answer.ok ? ((await answer.json()) as DemoKeys) : undefined;
  } catch {
    return undefined;
  }
}
