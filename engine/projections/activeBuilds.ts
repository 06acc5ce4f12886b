import type { Position } from '../ports/eventStore.js';
import type { Build } from './build.js';
import { CatchUp, type CatchUpOwner } from './catchUp.js';
import { type FeedOwner, type FeedSource, LiveFeed } from './liveFeed.js';

/** Maximum lag of builds that are fed at once, in positions. Builds further behind catch up first. */
const FAR = 10_000;

/** Builds that run here. They either catch up with the log or are fed with new events. */
export class ActiveBuilds {
  readonly feed: LiveFeed;
  readonly catchUp: CatchUp;

  /** `categories`: as in LiveFeed. */
  constructor(
    source: FeedSource & ConstructorParameters<typeof CatchUp>[0],
    categories: readonly string[] | undefined,
    owner: FeedOwner & Omit<CatchUpOwner, 'sharesThread'>,
    { unattended = false }: { readonly unattended?: boolean | undefined } = {},
  ) {
    this.feed = new LiveFeed(source, categories, owner);
    const sharesThread = () => !unattended && this.feed.builds.size > 0;
    this.catchUp = new CatchUp(source, { ...owner, sharesThread });
  }

  /** Returns true if new events are fed to the build. */
  isFed(build: Build): boolean {
    return this.feed.builds.has(build);
  }

  /** Returns true if the build is neither fed nor catching up, because it is stopped at an event. */
  isStopped(build: Build): boolean {
    // A build whose last write is in progress is removed when the write has ended.
    return !build.hasLeft && !this.isFed(build) && !this.catchUp.has(build);
  }

  /** Returns true if these builds can be fed at once, in the same turn. */
  areNear(builds: readonly Build[], head: Position): boolean {
    return builds.every(({ position }) => head - position <= FAR) && this.feed.admits(builds);
  }

  /** In a turn: ends builds, and discards their memory. */
  end(builds: readonly Build[]): void {
    for (const build of builds) {
      build.leave();
      this.catchUp.remove(build);
    }
    this.feed.leave(builds);
  }

  async stop(): Promise<void> {
    await this.catchUp.stop();
    await this.feed.stop();
  }
}
