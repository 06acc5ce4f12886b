/**
 * In the header of ServerFeatures' answer when the endpoint is that of a running service, and in nobody else's: two services
 * on one log would each do what is owed. Clients do not look at it.
 */
export const SERVICE_HEADER = 'suuq-service';
