/** What is wrong with an id that is to stand in a path, where it is one of the two. */
export const DOT_SEGMENT = "must not be '.' or '..', which no path can name";

/** Clients and proxies take these out of a path on the way, so that what has such an id could never be reached. */
export const isDotSegment = (id: string): boolean => id === '.' || id === '..';
