import type { ServiceName } from '../services.ts'

/**
 * The uses of an integration, a data source or the audit log that an author has decided on, who had the scope to read
 * it. A service makes them on its own behalf: the caller at that time, if there is one, does not need the scope. Any
 * other use needs it.
 * docs/decisions/delegated-authority.md gives the reason for each.
 */
export const delegations = {
  agent_model: { service: 'ai', description: 'a run asks the model that the author of its agent has named' },
  source_sync: { service: 'data', description: 'a sync reads what the author of its data source has named' },
  embeddings: { service: 'data', description: 'records are embedded by the model chosen for the workspace' },
  dataset_refresh: { service: 'solutions', description: 'a dataset reads the source that its author has named' },
  audit_destination: {
    service: 'webhook-delivery',
    description: 'audit records are written to the event destination that its author has named',
  },
  slack_channel: { service: 'notifications', description: 'a notification is posted to the channel of the settings' },
} as const satisfies Record<string, { service: ServiceName; description: string }>

/** The name of a delegated use. */
export type Delegation = keyof typeof delegations
