/** Pictures of products that the service has itself. Those on other sites are not loaded. */

/** Images of the demo's products, of which the console has a copy. */
const DEMO = /^https:\/\/pictures\.suuq\.example\/([a-z-]+\.svg)$/;

/** Returns the path of the console's own copy; undefined if it has none. */
export const ownPicture = (url: string | undefined): string | undefined => {
  const file = DEMO.exec(url ?? '')?.[1];
  return file && `/console/pictures/${file}`;
};

/** Shows the product's picture next to its name. Nothing for an image on another site. */
export function Thumbnail({ url }: { url: string | undefined }) {
  const src = ownPicture(url);
  return src === undefined ? null : <img class="thumbnail" src={src} alt="" loading="lazy" width="40" height="40" />;
}
