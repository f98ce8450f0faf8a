/**
 * Returns the part of an address that stored credentials belong to: origin and path, without query and fragment. Paths
 * of one host may be of different owners, so credentials do not follow a change of the path. Webhooks, integrations and
 * the sources read through them use this rule.
 */
export function credentialDestination(address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname}`
}
