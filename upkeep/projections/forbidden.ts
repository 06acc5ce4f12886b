/**
 * Guards against impure handlers, since the same history must give the same documents: the clock, randomness, timers, the network, files
 * and the process. Inside `during` each of them throws, and is recorded if the handler catches the error. Access to the outside throws for
 * ever after: a handler's promise may run on after its return. The guards are set before the file is imported, so functions that the file
 * stores are guarded too; during the import, files may be read.
 */
import { createRequire, isBuiltin, syncBuiltinESMExports } from 'node:module';

export type Use = 'clock' | 'randomness' | 'timers' | 'network' | 'files' | 'process';

export class ForbiddenUse extends Error {
  override readonly name = 'ForbiddenUse';
  readonly use: Use;
  /** Such as `Date.now`. */
  readonly what: string;
  constructor(use: Use, what: string) {
    super(`handlers must not use ${what}: the same history must give the same documents`);
    this.use = use;
    this.what = what;
  }
}

type Members = Record<string, unknown>;
type Guarded = readonly [use: Use, modules: readonly string[], members?: readonly string[]];

/** Uses by modules; Node's own code calls the others at any time. */
const OUTSIDE: ReadonlySet<Use> = new Set(['network', 'files', 'process']);

const RANDOM = ['randomBytes', 'randomFill', 'randomFillSync', 'randomInt', 'randomUUID', 'getRandomValues'];

/** All functions of these modules, or some. */
const BUILTINS: readonly Guarded[] = [
  ['network', ['net', 'tls', 'http', 'https', 'http2', 'dgram', 'dns', 'dns/promises']],
  ['files', ['fs', 'fs/promises']],
  ['process', ['child_process', 'cluster', 'worker_threads', 'inspector']],
  ['files', ['sqlite', 'wasi']],
  ['files', ['v8'], ['writeHeapSnapshot', 'setHeapSnapshotNearHeapLimit']],
  ['timers', ['timers', 'timers/promises']],
  ['randomness', ['crypto'], RANDOM],
];

const GLOBALS: readonly (readonly [Use, object, string, readonly string[]])[] = [
  ['network', globalThis, '', ['fetch', 'WebSocket', 'EventSource']],
  ['timers', globalThis, '', ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']],
  ['clock', performance, 'performance.', ['now']],
  ['randomness', Math, 'Math.', ['random']],
  ['randomness', globalThis.crypto, 'crypto.', ['getRandomValues', 'randomUUID']],
  ['clock', process.hrtime, 'process.hrtime.', ['bigint']],
  ['clock', process, 'process.', ['hrtime', 'uptime']],
  [
    'process',
    process,
    'process.',
    ['exit', 'reallyExit', 'abort', 'kill', 'chdir', 'nextTick', 'binding', '_linkedBinding', 'dlopen'],
  ],
  ['files', process.report, 'process.report.', ['writeReport']],
];

/** File functions that a module system needs, none of which changes files. */
const READS =
  /^fs(?:\/promises)?\.(?:access|exists|f?stat|internalModule|lstat|opendir|read|realpath|statfs|watch|close|toUnixTimestamp)/i;

export class Forbidden {
  /** The first one, also where the handler has caught it. */
  used: ForbiddenUse | undefined;
  #active = false;
  #loading = false;
  readonly #late: (met: ForbiddenUse) => void;

  /** Sets guards on all of it, also for modules that are loaded later. `late`: receives outside access while no handler runs. */
  constructor(late: (met: ForbiddenUse) => void) {
    this.#late = late;
    const require = createRequire(import.meta.url);
    for (const [use, modules, members] of BUILTINS)
      for (const name of modules)
        if (isBuiltin(`node:${name}`))
          this.#guard(use, require(`node:${name}`) as Members, `${name}.`, members, OUTSIDE.has(use));
    syncBuiltinESMExports();
    for (const [use, owner, prefix, members] of GLOBALS)
      this.#guard(use, owner as Members, prefix, members, use === 'network' || use === 'files');
    this.#guardDate();
  }

  during<T>(work: () => T): T {
    this.#active = true;
    try {
      return work();
    } finally {
      this.#active = false;
    }
  }

  /** While the file is imported: what reaches outside throws, but for reading files. */
  async whileLoading<T>(work: () => Promise<T>): Promise<T> {
    this.#loading = true;
    try {
      return await work();
    } finally {
      this.#loading = false;
    }
  }

  #meet(use: Use, what: string, isOutside = false): void {
    if (!this.#active && !isOutside) return;
    if (this.#loading && READS.test(what)) return;
    const met = new ForbiddenUse(use, what);
    if (this.#active) this.used ??= met;
    else if (!this.#loading) this.#late(met);
    throw met;
  }

  #guard(
    use: Use,
    owner: Members,
    prefix: string,
    members: readonly string[] = Object.keys(owner),
    isOutside = false,
  ): void {
    for (const name of members) {
      const known = Object.getOwnPropertyDescriptor(owner, name);
      const given = owner[name];
      if (typeof given !== 'function' || known?.configurable === false) continue;
      const meet = (): void => this.#meet(use, `${prefix}${name}`, isOutside);
      const value = new Proxy(given, {
        apply(target, self, args) {
          meet();
          return Reflect.apply(target, self, args);
        },
        construct(target, args, made) {
          meet();
          return Reflect.construct(target, args, made);
        },
      });
      Object.defineProperty(owner, name, { configurable: true, writable: true, enumerable: true, value });
    }
  }

  /** A date of given parts is as good as any value; one of now is the clock. */
  #guardDate(): void {
    const meet = (what: string): void => this.#meet('clock', what);
    const now = (): number => {
      meet('Date.now');
      return real.now();
    };
    const real = Date;
    globalThis.Date = new Proxy(real, {
      apply(target, self, args) {
        meet('Date()');
        return Reflect.apply(target, self, args);
      },
      construct(target, args, made) {
        if (args.length === 0) meet('new Date()');
        return Reflect.construct(target, args, made);
      },
      get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
    });
  }
}
