/** Problem of an id that cannot be part of a path. */
export const DOT_SEGMENT = "must not be '.' or '..', which no path can name";

/** Clients and proxies remove these segments from a path, so a resource with such an id would be unreachable. */
export const isDotSegment = (id: string): boolean => id === '.' || id === '..';
