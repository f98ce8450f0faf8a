import {
  type EventFilter,
  PortalLink,
  PortalPage,
  type PortalTheme,
  type ResultOf,
  type WorkspaceCaller,
  type webhooks,
} from '@wp/contracts'
import { viewOf } from '@wp/database'
import type { z } from 'zod'
import type { PortalLinkRow, PortalPageRow } from '../store/portal-links.ts'
import type { SubscriptionRow } from '../store/subscriptions/subscriptions.ts'
import { subscriptionView } from '../views.ts'

export const portalLinkView = (row: PortalLinkRow): z.input<typeof PortalLink> =>
  viewOf(PortalLink, row, {
    filter: row.filter as EventFilter | null, // only written in this shape
    theme: row.theme as PortalTheme, // only written in this shape
  })

export const portalPageView = (row: PortalPageRow): z.input<typeof PortalPage> =>
  viewOf(PortalPage, row, {
    theme: row.theme as PortalTheme, // only written in this shape
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
    customer_filter: null,
    metadata: {},
    external_id: null,
    created_by: null,
    created_by_client: null,
    depends_on_session: null,
  }
}
