import { declareEndpoints, endpoint, servedBy } from '../core/endpoint/endpoint.ts'
import { listQuery, text } from '../core/shape/shape.ts'
import { CreatedPortalLink, NewPortalLink, PortalLink, PortalPage, portalLinkPath } from './portal-shapes.ts'

/** Subscriptions that a customer can have through the portal. */
export const maxSubscriptionsPerCustomer = 20

/** Portal links: pages in which a customer of the workspace manages their own webhooks. */
export const webhookPortalLinks = servedBy(
  'webhook-delivery',
  declareEndpoints('webhooks', {
    listPortalLinks: {
      method: 'GET',
      path: '/v1/webhooks/portal-links',
      summary: 'List the active portal links',
      description:
        'Lists the portal links that are neither expired nor revoked, newest first, without their addresses.',
      scope: 'webhooks:read',
      query: listQuery({
        customer_id: text(200).optional().describe('Only links of this customer'),
      }),
      list: PortalLink,
    },
    createPortalLink: {
      method: 'POST',
      path: '/v1/webhooks/portal-links',
      summary: 'Create a link to the webhook portal for a customer',
      description:
        'The page behind `url` lets a customer of yours manage their own webhooks, and see nothing of anyone else. Open it in a browser, or in a frame on a page of `frame_origins`. The address is in this response only, and signs in everyone who has it: create a link when the customer asks for the page. A link can do no more than its creator.',
      scope: 'webhooks:write',
      body: NewPortalLink,
      created: CreatedPortalLink,
      secret: { idField: 'portal_link_id' },
      location: '/v1/webhooks/portal-links/{portal_link_id}',
      errors: ['unknown_event_kind', 'scope_escalation', 'quota_exceeded'],
      audit: { action: 'portal_link.created', target: 'portal_link', field: 'portal_link_id' },
    },
    getPortalLink: {
      method: 'GET',
      path: '/v1/webhooks/portal-links/{portal_link_id}',
      summary: 'Read a portal link',
      description: 'Returns an active link without its address.',
      scope: 'webhooks:read',
      portal: true,
      params: portalLinkPath,
      ok: PortalLink,
    },
    revokePortalLink: {
      method: 'DELETE',
      path: '/v1/webhooks/portal-links/{portal_link_id}',
      summary: 'Revoke a portal link',
      description: 'The link stops working within a second, also for a customer who has the page open. Webhooks stay.',
      scope: 'webhooks:write',
      params: portalLinkPath,
      deleted: 'portal_link_id',
      audit: { action: 'portal_link.revoked', target: 'portal_link', field: 'portal_link_id' },
    },
  }),
)

/** Returns the settings of the page of a link. The console asks before it knows anyone, so without a workspace. */
export const readPortalPage = endpoint({
  id: 'webhooks.readPortalPage',
  method: 'GET',
  path: '/internal/webhook-delivery/portal-pages/{portal_link_id}',
  summary: 'Read what the page of a portal link shows and which pages may frame it',
  audience: 'internal',
  workspace: 'none',
  allowsSystemCalls: true,
  callers: ['console'],
  params: portalLinkPath,
  ok: PortalPage,
})
