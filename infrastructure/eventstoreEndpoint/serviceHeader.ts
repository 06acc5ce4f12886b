/**
 * Header of ServerFeatures' answer if a running service owns the endpoint: two services on one log would both perform its pending tasks.
 * Other clients ignore it.
 */
export const SERVICE_HEADER = 'suuq-service';
