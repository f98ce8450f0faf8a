/** The tasks of the services in a few words, by name. */
const descriptions: Readonly<Record<string, readonly [title: string, description: string]>> = {
  auth: ['Authentication', 'Sign-in, API keys, roles and workspaces'],
  system: ['System', 'Workspace variables and health'],
  data: ['Data', 'Sources, syncs, records and search'],
  integrations: ['Integrations', 'Connections to other services'],
  'webhook-delivery': ['Webhooks', 'Subscriptions and deliveries'],
  solutions: ['Solutions', 'Forecasts and recommendations'],
  audit: ['Audit', 'The audit log and its exports'],
  ai: ['Agents', 'Agents and their runs'],
  mcp: ['MCP', 'Tools for assistants by the Model Context Protocol'],
  billing: ['Billing', 'Usage, quotas and invoices'],
  notifications: ['Notifications', 'Notifications in the console and by mail'],
  console: ['Console', 'This console'],
}

/** Returns title and description of a service; an unknown one is shown by its name. */
export function describeService(name: string): { title: string; description: string } {
  const [title, description] = descriptions[name] ?? [name, '']
  return { title, description }
}
