import { z } from 'zod'
import { endpoint } from '../core/endpoint.ts'
import { text } from '../core/shape.ts'
import { AcceptedInvitation, invitationToken } from './user-shapes.ts'

/** Accepting an invitation. */
export const invitationEndpoints = {
  acceptInvitationPage: endpoint({
    id: 'auth.acceptInvitationPage',
    method: 'GET',
    path: '/v1/auth/invitations/accept',
    summary: 'The page that the link of an invitation opens; it asks for confirmation and changes nothing',
    credentials: 'none',
    query: z.strictObject({ token: text(200).optional() }),
    response: 'html',
  }),
  acceptInvitation: endpoint({
    id: 'auth.acceptInvitation',
    method: 'POST',
    path: '/v1/auth/invitations/accept',
    summary: 'Accept an invitation by the token of its mail',
    credentials: 'none',
    body: invitationToken,
    ok: AcceptedInvitation,
    errors: ['invalid_invitation', 'rate_limited'],
    audit: { action: 'invitation.accepted', target: 'workspace', field: 'workspace_id' },
  }),
  confirmInvitation: endpoint({
    id: 'auth.confirmInvitation',
    method: 'POST',
    path: '/v1/auth/invitations/accept/confirm',
    summary: 'Accept an invitation from its page',
    credentials: 'none',
    input: 'form',
    body: invitationToken,
    response: 'html',
    audit: { action: 'invitation.accepted', target: 'workspace', field: 'workspace_id' },
  }),
}
