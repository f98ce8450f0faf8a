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
  'agents:gate',
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
  'solutions:write',
  'solutions:run',
  'mcp:use',
  'auth:keys',
  'auth:provision',
  'auth:read',
  'auth:admin',
] as const

/** The name of one permission. */
export type Scope = (typeof scopes)[number]

/** The permission of each scope in words, for the consent page and the documentation. */
export const scopeDescriptions: Readonly<Record<Scope, string>> = {
  'workspace:read': 'See the workspace, its settings and variables',
  'workspace:write': 'Change the workspace, its settings and variables',
  'data:read': 'Search and read your data',
  'data:write': 'Add, change and delete data and data sources',
  'integrations:read': 'See and use integrations',
  'integrations:write': 'Connect, change and remove integrations',
  'agents:read': 'See agents, their runs and answers, and those of your own chats',
  'agents:write': 'Create and change agents, and approve tool calls of runs',
  'agents:run': 'Run agents, and stop runs or deny their tool calls',
  'agents:gate': 'Set the gates of agents, and activate versions against them',
  'ai:chat': 'Chat with AI models and read your conversations',
  'webhooks:read': 'See webhooks and their deliveries',
  'webhooks:write': 'Create, change and delete webhooks',
  'audit:read': 'Read the audit log',
  'audit:export': 'Export the audit log',
  'notifications:read': 'Read notifications',
  'notifications:write': 'Change and send notifications',
  'billing:read': 'See plan, usage and invoices',
  'billing:write': 'Change the plan and payment',
  'solutions:read': 'Read buildings, teams, their use, forecasts and recommendations',
  'solutions:write': 'Change buildings, teams and the data that their use is counted from',
  'solutions:run': 'Start forecasts',
  'mcp:use': 'Connect as an MCP client and call tools',
  'auth:keys': 'Create and delete API keys',
  'auth:provision': 'Add, change and remove members from a directory (SCIM)',
  'auth:read': 'See members, roles and invitations',
  'auth:admin': 'Manage members, roles and credentials',
}

const scopeSet: ReadonlySet<string> = new Set(scopes)

/** Returns true if the word is a scope. */
export const isScope = (word: string): word is Scope => scopeSet.has(word)

const reads = scopes.filter((scope) => scope.endsWith(':read'))
const runs: Scope[] = ['agents:run', 'solutions:run']

/** The built-in roles of every workspace. Custom roles are stored by the auth service. */
export const builtInRoles = {
  owner: [...scopes],
  admin: scopes.filter((scope) => scope !== 'billing:write'),
  member: [...reads, ...runs, 'data:write', 'agents:write', 'ai:chat', 'mcp:use', 'auth:keys'],
  viewer: reads,
} as const satisfies Record<string, readonly Scope[]>

/** The name of a built-in role. */
export type BuiltInRole = keyof typeof builtInRoles

/**
 * Returns the requested scopes that are allowed, in the order of the catalogue; all allowed scopes if none is
 * requested.
 * @returns `null` if a word is not a scope, or no scope is left (RFC 6749 section 5.2, `invalid_scope`)
 */
export function grantScopes(requested: string | undefined, allowed: readonly Scope[]): Scope[] | null {
  const words = requested === undefined ? allowed : requested.split(' ').filter((word) => word !== '')
  if (!words.every(isScope)) return null
  const granted = scopes.filter((scope) => words.includes(scope) && allowed.includes(scope))
  return granted.length > 0 ? granted : null
}
