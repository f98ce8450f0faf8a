import { type Scope, scopeDescriptions, scopes } from '@wp/contracts'

/** Returns what the scopes permit, in the order of the catalogue. */
export const describeScopes = (granted: readonly Scope[]): string[] =>
  scopes.filter((scope) => granted.includes(scope)).map((scope) => scopeDescriptions[scope])
