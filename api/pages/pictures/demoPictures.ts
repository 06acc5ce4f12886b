/**
 * Pictures of the demo's products. A product's image must be on the public internet, where a demo has no host: the
 * stored address has a reserved name (RFC 2606), and the service's own pages show their own copy instead.
 */
import { notFoundPage } from '../errors.js';
import type { PageRoute } from '../pageRoute.js';
import { BEAUTY, FOOD, HOME } from './household.js';
import type { Drawing } from './shapes.js';
import { ACCESSORIES, CLOTHES } from './worn.js';

const DRAWINGS: Readonly<Record<string, Drawing>> = { ...CLOTHES, ...ACCESSORIES, ...FOOD, ...HOME, ...BEAUTY };

const HOST = 'https://pictures.suuq.example/';
const OWN = new RegExp(`^${HOST.replaceAll('.', '\\.')}([a-z-]{1,40})\\.svg$`);

const FOLDER = '/demo/pictures';
/** Cached for an hour: a release may change a picture. */
const CACHED = 'public, max-age=3600';

export const PICTURE_NAMES: readonly string[] = Object.keys(DRAWINGS);

/** Address of a picture as products store it. */
export const pictureUrl = (name: string): string => `${HOST}${name}.svg`;

/**
 * Returns the address of the service's own copy, relative to a page; or the same address if the image is not the
 * demo's. `root`: path from the page to the root, such as `../..`.
 */
export function shownImage(url: string, root: string): string {
  const name = OWN.exec(url)?.[1];
  return name !== undefined && Object.hasOwn(DRAWINGS, name) ? `${root}${FOLDER}/${name}.svg` : url;
}

/** Returns the picture as SVG; undefined if there is none with this name. */
export function pictureSvg(name: string): string | undefined {
  const drawing = Object.hasOwn(DRAWINGS, name) ? DRAWINGS[name] : undefined;
  if (drawing === undefined) return undefined;
  const [light, dark] = drawing.back;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400" width="800" height="800"><defs><radialGradient id="b" cx=".35" cy=".3" r=".9"><stop offset="0" stop-color="${light}"/><stop offset="1" stop-color="${dark}"/></radialGradient></defs><rect width="400" height="400" fill="url(#b)"/><ellipse cx="200" cy="342" rx="125" ry="16" fill="#0000001f"/>${drawing.shapes}</svg>
`;
}

/** Returns the picture of a file's name such as `teapot-blue.svg`; undefined if there is none. */
export const pictureFile = (file: string): string | undefined =>
  file.endsWith('.svg') ? pictureSvg(file.slice(0, -'.svg'.length)) : undefined;

/** `GET /demo/pictures/{file}`, without a credential. */
export const demoPictureRoute: PageRoute = {
  id: 'demoPicture',
  path: `${FOLDER}/{file}`,
  answer({ file = '' }) {
    const text = pictureFile(file);
    return text === undefined
      ? { status: 404, text: notFoundPage() }
      : { status: 200, text, type: 'svg', cacheControl: CACHED };
  },
};
