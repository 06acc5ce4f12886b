/** Whether documents were made by the handlers that go on with them. */
import type { CollectionDefinition, DocumentStore, NewDocument } from '../ports/documents.js';
import { Fenced } from '../ports/documents.js';
import type { Log } from '../ports/log.js';
import type { Build } from './build.js';
import type { HandlerFingerprint } from './handlerFingerprints.js';

/** One document a build, its id the name of the build's collection: the handlers that it was begun with. */
const projectionBuilds: CollectionDefinition = { name: 'projectionBuilds', keys: {}, indexes: [] };

interface BegunWith {
  readonly version: number;
  readonly fingerprint: string;
}

/** A build, as far as its handlers go. */
type Checked = Pick<Build, 'name' | 'projection' | 'physical' | 'lease' | 'isNew' | 'frozen' | 'hasLeft'> & {
  handlersChanged: boolean;
};

interface HandlerCheckParts {
  readonly readModels: DocumentStore;
  readonly log: Log;
  /** Of each projection, by its name; nothing is checked when absent. */
  readonly fingerprints?: () => Promise<ReadonlyMap<string, HandlerFingerprint>>;
}

const { name: collection } = projectionBuilds;

export class HandlerCheck {
  readonly #parts: HandlerCheckParts;
  #fingerprints: Promise<ReadonlyMap<string, HandlerFingerprint>> | undefined;
  #checking: Promise<void> = Promise.resolve();
  #comparing: Promise<void> = Promise.resolve();
  /** What was begun and has not been looked at: shards begin one by one, and are looked at together. */
  #waiting: Checked[] = [];
  #hasStopped = false;

  constructor(parts: HandlerCheckParts) {
    this.#parts = parts;
  }

  /**
   * Beside what goes on: names builds of other handlers of the same version, and keeps with new builds what they are made by.
   * One that was begun before this was kept counts as made by the handlers of now.
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
        const begun = this.#waiting.splice(0);
        if (this.#hasStopped || begun.length === 0) return;
        this.#comparing = this.#check(begun, found);
        await this.#comparing;
      })
      .catch((error: unknown) => {
        // A newer owner looks itself.
        if (!(error instanceof Fenced))
          log.warn({ err: error }, 'whether handlers of projections have changed could not be told');
      });
  }

  /** Resolves when all that was begun has been looked at. */
  settled(): Promise<void> {
    return this.#checking;
  }

  /** Waits for no more than the write that is under way: what has not been looked at is by the next start. */
  async stop(): Promise<void> {
    this.#hasStopped = true;
    await Promise.allSettled([this.#comparing]);
  }

  async #check(begun: readonly Checked[], known: ReadonlyMap<string, HandlerFingerprint>): Promise<void> {
    const { readModels } = this.#parts;
    await readModels.open(projectionBuilds);
    const builds = begun.filter((build) => !build.frozen && !build.hasLeft);
    const ids = builds.map(({ physical }) => physical);
    const stored = await readModels.getMany<BegunWith>(collection, ids);
    const unowned: NewDocument[] = [];
    for (const build of builds) {
      const handlers = known.get(build.name);
      const before = stored.get(build.physical);
      if (handlers === undefined || this.#isKnown(build, handlers, before?.body.fingerprint)) continue;
      const body: BegunWith = { version: build.projection.version, fingerprint: handlers.current };
      const put = { id: build.physical, keys: {}, body, revision: (before?.revision ?? 0) + 1 };
      if (build.lease === undefined) unowned.push(put);
      else await readModels.write({ [collection]: { put: [put] } }, { name: build.physical, fence: build.lease.fence });
    }
    if (unowned.length > 0) await readModels.write({ [collection]: { put: unowned } });
  }

  /** False: what is kept of the build's handlers is to be written. */
  #isKnown(build: Checked, { current, same }: HandlerFingerprint, before: string | undefined): boolean {
    // One that has just been begun may bear the name of one that is gone.
    if (before === undefined || build.isNew) return before === current;
    if (before === current) return true;
    if (same.includes(before)) return false;
    build.handlersChanged = true;
    this.#parts.log.warn(
      { projection: build.name, version: build.projection.version },
      "the handlers of a projection have changed under the same version, so documents of both kinds stand beside each other: raise its version, or build it anew with 'suuq projections rebuild'",
    );
    return true;
  }
}
