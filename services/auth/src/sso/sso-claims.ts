import { toMailAddress } from '@wp/contracts'

/** The claims of an ID token, or of an assertion, that a sign-in uses. */
export interface SsoIdentity {
  issuer: string
  subject: string
  /** Lower case. */
  email: string
  groups: readonly string[]
}

/** Groups of a token that are considered. */
const maxGroups = 500

interface Expected {
  groupsClaim: string
  /** Domains that the workspace has proved. */
  domains: readonly string[]
}

/**
 * Reads the identity of an ID token. Its address counts if the workspace has proved the domain and the provider does
 * not say that it is unverified; many directories, as Entra ID, say nothing about it.
 * @returns undefined if there is no such address
 */
export function readIdentity(
  claims: { iss: string; sub: string } & Readonly<Record<string, unknown>>,
  { groupsClaim, domains }: Expected,
): SsoIdentity | undefined {
  const email = typeof claims.email === 'string' ? toMailAddress(claims.email) : undefined
  if (email === undefined || isUnverified(claims.email_verified) || !domains.includes(domainOf(email))) return undefined
  const groups = Object.hasOwn(claims, groupsClaim) ? claims[groupsClaim] : undefined
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email,
    groups: (Array.isArray(groups) ? groups : [])
      .slice(0, maxGroups)
      .filter((group): group is string => typeof group === 'string'),
  }
}

/** Some providers send the boolean as text. */
const isUnverified = (claim: unknown): boolean => claim !== undefined && claim !== true && claim !== 'true'

/** Returns the domain of a mail address in the form of `mailAddress`. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

/** Returns claims for the page of a test: names in full, values shortened, and no more of them than fit on it. */
export const redactClaims = (claims: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(claims)
    .slice(0, 50)
    .map(([name, value]) => `${name.slice(0, 100)}: ${redactValue(name, value)}`)

const plainClaims: ReadonlySet<string> = new Set(['iss', 'aud', 'iat', 'exp', 'auth_time', 'email_verified'])

function redactValue(name: string, value: unknown): string {
  if (typeof value === 'boolean' || plainClaims.has(name)) return JSON.stringify(value).slice(0, 200)
  if (Array.isArray(value)) return value.length === 1 ? redactValue(name, value[0]) : `${value.length} values`
  if (typeof value === 'object') return 'an object'
  const text = String(value)
  const at = text.lastIndexOf('@')
  return at > 0 ? `${text.slice(0, 1)}…${text.slice(at, at + 100)}` : `${text.slice(0, 3)}… (${text.length} characters)`
}
