/** Returns the scheme, host and port of an endpoint; null if the receiver polls. */
export const destinationOf = (endpoint: string | null): string | null =>
  endpoint === null ? null : new URL(endpoint).origin
