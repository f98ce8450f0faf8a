import type {
  EventFilter,
  PortalLink,
  PortalPage,
  PortalTheme,
  ResultOf,
  WorkspaceCaller,
  webhooks,
} from '@wp/contracts'
import type { z } from 'zod'
import type { PortalLinkRow, PortalPageRow } from '../store/portal-links.ts'
import type { SubscriptionRow } from '../store/subscriptions/subscriptions.ts'
import { subscriptionView } from '../views.ts'

export const portalLinkView = (row: PortalLinkRow): z.input<typeof PortalLink> => ({
  portal_link_id: row.portalLinkId,
  customer_id: row.customerId,
  customer_name: row.customerName,
  events: row.events,
  filter: row.filter as EventFilter | null, // only written in this shape
  can_write: row.canWrite,
  frame_origins: row.frameOrigins,
  return_url: row.returnUrl,
  theme: row.theme as PortalTheme, // only written in this shape
  expires_at: row.expiresAt.toISOString(),
  created_by: row.createdBy,
  created_at: row.createdAt.toISOString(),
})

export const portalPageView = (row: PortalPageRow): z.input<typeof PortalPage> => ({
  frame_origins: row.frameOrigins,
  return_url: row.returnUrl,
  theme: row.theme as PortalTheme, // only written in this shape
  expires_at: row.expiresAt.toISOString(),
  is_revoked: row.revokedAt !== null,
})

/** Returns a subscription as the caller may see it: a customer without what belongs to the workspace. */
export function subscriptionViewFor(
  { customerId }: Pick<WorkspaceCaller, 'customerId'>,
  row: SubscriptionRow,
  warnings: readonly string[] = [],
): ResultOf<typeof webhooks.getSubscription> {
  const view = subscriptionView(row, warnings)
  if (customerId === undefined) return view
  return {
    ...view,
    ...{ customer_filter: null, metadata: {}, external_id: null },
    ...{ created_by: null, created_by_client: null, depends_on_session: null },
  }
}
