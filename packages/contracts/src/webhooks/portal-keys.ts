import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { id } from '../core/shape/id.ts'
import { text, timestamp } from '../core/shape/shape.ts'

/** The credentials of portal links: API keys that expire within a day and reach the webhooks of one customer only. */
export const portalKeys = declareEndpoints('auth', {
  createPortalKey: {
    method: 'POST',
    path: '/internal/auth/portal-keys',
    summary: 'Create the credential of a portal link, which can do no more than the caller',
    audience: 'internal',
    scope: 'webhooks:write',
    callers: ['webhook-delivery'],
    body: z.strictObject({
      portal_link_id: id('plink'),
      customer_id: text(200),
      can_write: z.boolean(),
      expires_at: timestamp(),
    }),
    ok: z.object({ key: z.string() }),
    errors: ['scope_escalation'],
  },
  deletePortalKey: {
    method: 'DELETE',
    path: '/internal/auth/portal-keys/{portal_link_id}',
    summary: 'Revoke the credential of a portal link',
    audience: 'internal',
    scope: 'webhooks:write',
    callers: ['webhook-delivery'],
    params: z.object({ portal_link_id: id('plink') }),
    deleted: 'portal_link_id',
  },
})
