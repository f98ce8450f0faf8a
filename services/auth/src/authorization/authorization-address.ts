/** The path of the authorization endpoint. */
const path = '/v1/auth/authorize'

/**
 * Returns the address of an authorization request, to which the browser returns after the sign-in. The query comes from
 * a form and is checked again there; the path and origin are ours, so it leads nowhere else.
 */
export const authorizationAddress = (publicBaseUrl: string, query: string): string =>
  `${publicBaseUrl}${path}?${new URLSearchParams(query)}`

/** Returns true if an address is one of an authorization request. */
export const isAuthorizationAddress = (publicBaseUrl: string, address: string): boolean =>
  address.startsWith(`${publicBaseUrl}${path}?`)
