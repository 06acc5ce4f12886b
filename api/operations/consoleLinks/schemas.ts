import { Closed, DateTime, Int64, Named } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';

/** Longest session of a store's people, in minutes. */
const MOST_MINUTES = 24 * 60;
export const DEFAULT_MINUTES = 60;

export const CreateConsoleLinkInputBody = Named(
  'CreateConsoleLinkInputBody',
  Closed({
    minutes: Type.Optional(
      Int64({
        minimum: 1,
        maximum: MOST_MINUTES,
        description: `How long the session lasts that the link opens, in minutes; ${DEFAULT_MINUTES} when absent.`,
      }),
    ),
  }),
);

export const ConsoleLinkOutputBody = Named(
  'ConsoleLinkOutputBody',
  Type.Object({
    url: Type.Optional(
      Type.String({
        description: 'Opens the console in a browser, once. Shown once: not when the same request is sent again.',
      }),
    ),
    expiresAt: DateTime,
    sessionExpiresAt: DateTime,
  }),
);
