import { assetsOf } from '../../infrastructure/pages/assets.js';
import { once } from '../http/once.js';

/** The files of the service's pages; read for the first page. */
export const assets = once(() => assetsOf(new URL('./assets/', import.meta.url)));
