const titles: Readonly<Record<string, string>> = {
  auth: 'Authentication',
  system: 'Workspaces and system',
  data: 'Data and search',
  integrations: 'Integrations',
  webhooks: 'Webhooks',
  solutions: 'Forecasting',
  audit: 'Audit',
  agents: 'Agents',
  ai: 'Runs and chat',
  mcp: 'Model Context Protocol',
  billing: 'Billing',
  notifications: 'Notifications',
}

/** Returns the title of a surface by its tag. */
export const surfaceTitle = (tag: string): string => titles[tag] ?? tag
