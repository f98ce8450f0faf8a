import type { ReadScope } from './fair-pool.ts'

/**
 * Sets, until the end of the transaction, the workspace and the customer whose rows its statements see: policies of
 * row-level security compare with both. An empty customer stands for all of the workspace.
 */
export const setScopeLocally = `SELECT set_config('app.workspace_id', $1, true), set_config('app.customer_id', $2, true)`

/** Returns the parameters of the settings, in their order. */
export const scopeValues = ({ workspaceId, customerId }: ReadScope): [workspace: string, customer: string] => [
  workspaceId ?? '',
  customerId ?? '',
]
