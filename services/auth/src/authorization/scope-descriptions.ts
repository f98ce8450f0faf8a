import { type Scope, scopes } from '@wp/contracts'

/** A description of each scope, in the words of the consent page. */
const descriptions: Readonly<Record<Scope, string>> = {
  'workspace:read': 'See the workspace, its settings and variables',
  'workspace:write': 'Change the workspace, its settings and variables',
  'data:read': 'Search and read your data',
  'data:write': 'Add, change and delete data and data sources',
  'integrations:read': 'See and use integrations',
  'integrations:write': 'Connect, change and remove integrations',
  'agents:read': 'See agents and their runs',
  'agents:write': 'Create and change agents',
  'agents:run': 'Run agents',
  'ai:chat': 'Chat with AI models and read your conversations',
  'webhooks:read': 'See webhooks and their deliveries',
  'webhooks:write': 'Create, change and delete webhooks',
  'audit:read': 'Read the audit log',
  'audit:export': 'Export the audit log',
  'notifications:read': 'Read notifications',
  'notifications:write': 'Change and send notifications',
  'billing:read': 'See plan, usage and invoices',
  'billing:write': 'Change the plan and payment',
  'solutions:read': 'Read forecasts and recommendations',
  'solutions:run': 'Start forecasts',
  'mcp:use': 'Connect as an MCP client and call tools',
  'auth:keys': 'Create and delete API keys',
  'auth:read': 'See members, roles and invitations',
  'auth:admin': 'Manage members, roles and credentials',
}

/** Returns what the scopes permit, in the order of the catalogue. */
export const describeScopes = (granted: readonly Scope[]): string[] =>
  scopes.filter((scope) => granted.includes(scope)).map((scope) => descriptions[scope])
