/** Checks that documents were made by the current handlers of their projection. */
import type { CollectionDefinition, DocumentStore, NewDocument } from '../ports/documents.js';
import { Fenced } from '../ports/documents.js';
import type { Log } from '../ports/log.js';
import type { Build } from './build.js';
import type { HandlerFingerprint } from './handlerFingerprints.js';

/**
 * One document per build, with the name of the build's collection as id: the handlers that the build was begun with.
 */
const projectionBuilds: CollectionDefinition = { name: 'projectionBuilds', keys: {}, indexes: [] };

interface StartedWith {
  readonly version: number;
  readonly fingerprint: string;
}

/** Fields of a build that the check needs. */
type Checked = Pick<Build, 'name' | 'projection' | 'physical' | 'lease' | 'isNew' | 'frozen' | 'hasLeft'> & {
  handlersChanged: boolean;
};

interface HandlerCheckParts {
  readonly readModels: DocumentStore;
  readonly log: Log;
  /** Fingerprints by projection name. Default: nothing is checked. */
  readonly fingerprints?: () => Promise<ReadonlyMap<string, HandlerFingerprint>>;
}

const { name: collection } = projectionBuilds;

export class HandlerCheck {
  readonly #parts: HandlerCheckParts;
  #fingerprints: Promise<ReadonlyMap<string, HandlerFingerprint>> | undefined;
  #checking: Promise<void> = Promise.resolve();
  #comparing: Promise<void> = Promise.resolve();
  /** Builds that were begun and not checked yet. Shards begin one by one, and are checked together. */
  #waiting: Checked[] = [];
  #hasStopped = false;

  constructor(parts: HandlerCheckParts) {
    this.#parts = parts;
  }

  /**
   * In the background: reports builds by other handlers of the same version, and stores the fingerprints of new builds.
   * A build without a stored fingerprint counts as made by the current handlers.
   */
  begin(builds: readonly (Checked | undefined)[]): void {
    const { fingerprints, log } = this.#parts;
    if (fingerprints === undefined) return;
    this.#fingerprints ??= fingerprints();
    const known = this.#fingerprints;
    this.#waiting.push(...builds.filter((build) => build !== undefined));
    this.#checking = this.#checking
      .then(async () => {
        const found = await known;
        const batch = this.#waiting.splice(0);
        if (this.#hasStopped || batch.length === 0) return;
        this.#comparing = this.#check(batch, found);
        await this.#comparing;
      })
      .catch((error: unknown) => {
        // A newer owner runs the check itself.
        if (!(error instanceof Fenced)) log.warn({ err: error }, 'projection handler check failed');
      });
  }

  /** Resolves when all begun builds have been checked. */
  settled(): Promise<void> {
    return this.#checking;
  }

  /** Waits only for the write in progress. The next start checks the rest. */
  async stop(): Promise<void> {
    this.#hasStopped = true;
    await Promise.allSettled([this.#comparing]);
  }

  async #check(batch: readonly Checked[], known: ReadonlyMap<string, HandlerFingerprint>): Promise<void> {
    const { readModels } = this.#parts;
    await readModels.open(projectionBuilds);
    const builds = batch.filter((build) => !build.frozen && !build.hasLeft);
    const ids = builds.map(({ physical }) => physical);
    const stored = await readModels.getMany<StartedWith>(collection, ids);
    const unowned: NewDocument[] = [];
    for (const build of builds) {
      const handlers = known.get(build.name);
      const before = stored.get(build.physical);
      if (handlers === undefined || this.#isKnown(build, handlers, before?.body.fingerprint)) continue;
      const body: StartedWith = { version: build.projection.version, fingerprint: handlers.current };
      const put = { id: build.physical, keys: {}, body, revision: (before?.revision ?? 0) + 1 };
      if (build.lease === undefined) unowned.push(put);
      else await readModels.write({ [collection]: { put: [put] } }, { name: build.physical, fence: build.lease.fence });
    }
    if (unowned.length > 0) await readModels.write({ [collection]: { put: unowned } });
  }

  /** Returns false if the fingerprint of the build must be written. */
  #isKnown(build: Checked, { current, same }: HandlerFingerprint, before: string | undefined): boolean {
    // A build that has just begun may have the name of a removed one.
    if (before === undefined || build.isNew) return before === current;
    if (before === current) return true;
    if (same.includes(before)) return false;
    build.handlersChanged = true;
    this.#parts.log.warn(
      { projection: build.name, version: build.projection.version },
      "projection handlers changed without a new version, so its documents are inconsistent: raise its version, or run 'suuq projections rebuild'",
    );
    return true;
  }
}
