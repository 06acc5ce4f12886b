import { assetsOf } from '../../infrastructure/pages/assets.js';

/** The files of the service's pages. */
export const assets = assetsOf(new URL('./assets/', import.meta.url));
