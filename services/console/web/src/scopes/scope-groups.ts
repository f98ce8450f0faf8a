import { type Scope, scopes } from '@wp/contracts'

/** The scopes of one surface. */
export interface ScopeGroup {
  /** The part of the name before the colon. */
  name: string
  label: string
  scopes: readonly Scope[]
}

const labels: Readonly<Record<string, string>> = {
  workspace: 'Workspace',
  data: 'Data and search',
  integrations: 'Integrations',
  agents: 'Agents',
  ai: 'Chat',
  webhooks: 'Webhooks',
  audit: 'Audit log',
  notifications: 'Notifications',
  billing: 'Usage and billing',
  solutions: 'Workplace and forecasts',
  mcp: 'MCP',
  auth: 'Access',
}

const actionLabels: Readonly<Record<string, string>> = {
  'auth:keys': 'Manage own API keys',
  'auth:provision': 'Add and remove members from a directory',
  'auth:read': 'Read members and roles',
  'auth:admin': 'Manage members, roles and all credentials',
  'agents:gate': 'Set and override gates',
  'ai:chat': 'Chat with models',
  'mcp:use': 'Use tools',
  'workspace:read': 'Read settings, variables and usage',
  'workspace:write': 'Change settings and variables',
}

const verbLabels: Readonly<Record<string, string>> = { read: 'Read', write: 'Write', run: 'Run', export: 'Export' }

/** Returns a name for the action of a scope within its group: `Read`. */
export function labelOfScope(scope: Scope): string {
  const verb = scope.slice(scope.indexOf(':') + 1)
  return actionLabels[scope] ?? verbLabels[verb] ?? verb
}

/** Returns scopes by surface, in the order of the catalogue; groups without any are left out. */
export function groupScopes(selected: readonly Scope[] = scopes): ScopeGroup[] {
  const groups = new Map<string, Scope[]>()
  for (const scope of scopes.filter((candidate) => selected.includes(candidate))) {
    const name = scope.slice(0, scope.indexOf(':'))
    groups.set(name, [...(groups.get(name) ?? []), scope])
  }
  return [...groups].map(([name, members]) => ({ name, label: labels[name] ?? name, scopes: members }))
}

/** Returns scopes in the order of the catalogue, without duplicates. */
export const inCatalogOrder = (unordered: readonly Scope[]): Scope[] =>
  scopes.filter((scope) => unordered.includes(scope))
