import autocannon from 'autocannon';
import { defined } from '../../domain/defined.js';
import { enough } from './effort.js';
import { processorMs } from './processorTime.js';

export interface Load {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers other than 2xx (or than 304, if that is expected), and requests without an answer. */
  readonly failures: number;
  readonly cost: Cost;
}

/** CPU time of a request, in µs: of all threads of the server, and of the client. */
export interface Cost {
  /** NaN where the process is not known. */
  readonly server: number;
  readonly generator: number;
}

export interface LoadOptions {
  readonly url: string;
  /** Process of the server: its CPU time is counted. */
  readonly pid?: number;
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly headers?: Record<string, string>;
  readonly connections?: number;
  readonly seconds?: number;
  /** Makes each request's path and body; called once a request. */
  readonly each?: () => { path?: string; body?: string; headers?: Record<string, string> };
  readonly body?: string;
  /** Every answer shall be 304. */
  readonly unchanged?: true;
}

const WARM_UP_S = 2;

/** Closed-loop load on the loopback address: a warm-up that does not count, then `seconds` that do. */
export async function load(options: LoadOptions): Promise<Load> {
  await run(options, WARM_UP_S);
  return run(options, enough(options.seconds ?? 6));
}

type Result = Awaited<ReturnType<typeof autocannon>>;

const failed = (result: Result, { unchanged }: LoadOptions): number =>
  unchanged ? result.requests.total - (result.statusCodeStats?.['304']?.count ?? 0) : result.non2xx;

/** Answers, when it is called, what has been spent since. */
function spending({ pid }: LoadOptions): (requests: number) => Cost {
  const server = () => (pid === undefined ? Number.NaN : processorMs(pid) * 1000);
  const [began, before] = [server(), process.cpuUsage()];
  return (requests) => {
    const { user, system } = process.cpuUsage(before);
    return { server: (server() - began) / requests, generator: (user + system) / requests };
  };
}

async function run(options: LoadOptions, seconds: number): Promise<Load> {
  const each = options.each;
  const spent = spending(options);
  const result = await autocannon({
    url: options.url,
    connections: options.connections ?? 32,
    duration: seconds,
    method: options.method ?? 'GET',
    headers: { 'content-type': 'application/json', ...options.headers },
    ...defined({ body: options.body }),
    ...(each === undefined
      ? {}
      : {
          requests: [
            {
              setupRequest: (request) => {
                const made = each();
                return {
                  ...request,
                  ...defined({ path: made.path, body: made.body }),
                  headers: { ...request.headers, ...made.headers },
                };
              },
            },
          ],
        }),
  });
  return {
    perSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: failed(result, options) + result.errors + result.timeouts,
    cost: spent(result.requests.total),
  };
}

/** Begins `work(i)` at a steady rate, whether or not earlier ones have ended; resolves when all have. */
export async function steadily(perSecond: number, seconds: number, work: (i: number) => Promise<void>): Promise<void> {
  const pending = new Set<Promise<void>>();
  const total = perSecond * seconds;
  const started = performance.now();
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * perSecond) + 1);
    for (; sent < due; sent += 1) {
      const done: Promise<void> = work(sent).finally(() => pending.delete(done));
      pending.add(done);
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(pending);
}
