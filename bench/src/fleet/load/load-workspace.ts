/** A workspace under load. */
export interface LoadWorkspace {
  workspaceId: string
  apiKey: string
  clientId: string
  /** Access token of its service principal, with every scope. */
  token: string
  sourceId: string
  /** Some of its records. */
  recordIds: string[]
  /** One of its subscriptions. */
  webhookId: string
  subscriptions: number
  agentId?: string
  /** A finished one. */
  forecastRunId?: string
}
