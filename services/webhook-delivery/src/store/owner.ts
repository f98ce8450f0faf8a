import type { WorkspaceCaller } from '@wp/contracts'

/** The workspace whose rows a statement reads or changes, and for a portal link its customer. */
export type Owner = Pick<WorkspaceCaller, 'workspaceId' | 'customerId'>

/** Returns the condition on subscriptions and portal links that belong to an owner. */
export const ownedBy = ({ workspaceId, customerId }: Owner): { workspaceId: string; customerId?: string } => ({
  workspaceId,
  ...(customerId === undefined ? {} : { customerId }),
})
