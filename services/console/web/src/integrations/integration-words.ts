/** Words of the API that addresses of pages contain. They are copies, so that the initial bundle needs no contracts. */
export const integrationProviders = [
  'http',
  'postgres',
  's3',
  'smtp',
  'slack',
  'openai_compatible',
  'mcp_server',
  'google',
  'github',
] as const
export type IntegrationProvider = (typeof integrationProviders)[number]

export const integrationStates = ['pending', 'connected', 'error', 'disconnected'] as const
