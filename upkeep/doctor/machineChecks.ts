/** The machine that this runs on: Node's version, and room on its disks. */
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { floorBytes, type Space } from '../../infrastructure/files/freeSpace.js';
import { foldersOf } from '../../service/engines/engines.js';
import type { Settings } from '../../service/settings/settings.js';
import { type Check, type Found, ok, problem, warning } from './finding.js';

/** `needed`: as package.json has it, such as >=20.19.0. */
export const nodeCheck = (version: string, needed: string): Check => ({
  name: 'node',
  async run() {
    const least = needed.replace(/^[^\d]*/, '');
    const [major = 0] = numbers(version);
    if (isBefore(numbers(version), numbers(least)))
      return [
        problem('node_too_old', `Node.js is ${version}, but Suuq needs ${least} or newer.`, 'Install a newer version.'),
      ];
    if (major % 2 === 1)
      return [
        warning(
          'node_short_lived',
          `Node.js ${version} is a release without long-term support.`,
          'Use a release with an even major version in production.',
        ),
      ];
    return [ok('node_right', `Node.js ${version}.`)];
  },
});

const numbers = (version: string): readonly number[] => version.replace(/^v/, '').split('.').map(Number);

const isBefore = (one: readonly number[], other: readonly number[]): boolean => {
  const at = other.findIndex((number, i) => (one[i] ?? 0) !== number);
  return at !== -1 && (one[at] ?? 0) < other[at]!;
};

const GIB = 1024 ** 3;
const size = (bytes: number): string =>
  bytes >= GIB ? `${(bytes / GIB).toFixed(1)} GiB` : `${(bytes / 1024 ** 2).toFixed(0)} MiB`;

/** A folder that a start will make is on the disk of the one that it will be made in. */
function existingFolder(folder: string): string {
  for (let at = folder; ; at = dirname(at)) if (existsSync(at) || at === dirname(at)) return at;
}

/** `space`: of the disk that a path is on. */
export const diskCheck = (settings: Settings, space: (path: string) => Promise<Space>): Check => ({
  name: 'disk',
  async run() {
    const disks = new Map<number, { names: string[]; path: string }>();
    for (const [name, folder] of Object.entries(foldersOf(settings))) {
      const path = existingFolder(folder);
      const disk = statSync(path).dev;
      const known = disks.get(disk);
      if (known === undefined) disks.set(disk, { names: [name], path });
      else known.names.push(name);
    }
    return Promise.all(
      [...disks.values()].map(({ names, path }) => diskOf(names.join(' and '), path, settings, space)),
    );
  },
});

async function diskOf(
  names: string,
  path: string,
  { freeSpace }: Settings,
  space: (path: string) => Promise<Space>,
): Promise<Found> {
  const { free, total } = await space(path);
  const floor = floorBytes(total, freeSpace);
  const has = `The disk of ${names} has ${size(free)} of ${size(total)} free`;
  const advice =
    "Free some space: 'suuq admin files usage' lists the usage by store, and docs/operating/troubleshooting.md the steps.";
  if (free === 0) return problem('disk_full', `${has}. All changes are refused.`, advice);
  if (free < floor)
    return problem(
      'disk_below_floor',
      `${has}, less than SUUQ_FREE_SPACE (${size(floor)}). Uploads are refused.`,
      advice,
    );
  if (free < 2 * floor)
    return warning('disk_low', `${has}. Below ${size(floor)} (SUUQ_FREE_SPACE), uploads are refused.`, advice);
  return ok('disk_right', `${has}.`);
}
