/** Every permission of the platform. `write` does not imply `read`; tokens carry no wildcards. */
export const scopes = [
  'workspace:read',
  'workspace:write',
  'data:read',
  'data:write',
  'integrations:read',
  'integrations:write',
  'agents:read',
  'agents:write',
  'agents:run',
  'ai:chat',
  'webhooks:read',
  'webhooks:write',
  'audit:read',
  'audit:export',
  'notifications:read',
  'notifications:write',
  'billing:read',
  'billing:write',
  'solutions:read',
  'solutions:run',
  'mcp:use',
  'auth:keys',
  'auth:read',
  'auth:admin',
] as const

/** The name of one permission. */
export type Scope = (typeof scopes)[number]

const known: ReadonlySet<string> = new Set(scopes)

/** Whether a word names a permission of the platform. */
export const isScope = (word: string): word is Scope => known.has(word)

const reads = scopes.filter((scope) => scope.endsWith(':read'))
const runs: Scope[] = ['agents:run', 'solutions:run']

/** The roles every workspace has. Custom roles live in the auth service. */
export const builtInRoles = {
  owner: [...scopes],
  admin: scopes.filter((scope) => scope !== 'billing:write'),
  member: [...reads, ...runs, 'data:write', 'agents:write', 'ai:chat', 'mcp:use', 'auth:keys'],
  viewer: reads,
} as const satisfies Record<string, readonly Scope[]>

/** The name of a role every workspace has. */
export type BuiltInRole = keyof typeof builtInRoles

/**
 * What is granted of what was asked: the intersection, in the catalogue's order.
 * @returns `null` when a word is no scope at all or nothing is left (RFC 6749 section 5.2, `invalid_scope`).
 */
export function grantScopes(asked: string | undefined, allowed: readonly Scope[]): Scope[] | null {
  const words = asked === undefined ? allowed : asked.split(' ').filter((word) => word !== '')
  if (!words.every(isScope)) return null
  const granted = scopes.filter((scope) => words.includes(scope) && allowed.includes(scope))
  return granted.length > 0 ? granted : null
}
