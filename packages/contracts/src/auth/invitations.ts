import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { linkQuery } from '../core/shape/link.ts'
import { listQuery } from '../core/shape/shape.ts'
import {
  AcceptedInvitation,
  DeclinedInvitation,
  Invitation,
  invitationPath,
  invitationToken,
} from './shapes/user-shapes.ts'

/** Common to the endpoints that show a signed-in user their own invitations. They lie across workspaces. */
const ofSignedInUser = { credentials: ['bearer'], principals: ['user'], workspace: 'none' } as const

/** Accepting an invitation: by the token of its mail, or as the signed-in user it is addressed to. */
export const invitationEndpoints = declareEndpoints('auth', {
  listInvitations: {
    method: 'GET',
    path: '/v1/auth/invitations',
    summary: 'List the pending invitations to the address of the signed-in user',
    description:
      'Lists invitations of all workspaces that are addressed to the mail address of the user and have not expired.',
    ...ofSignedInUser,
    query: listQuery({}),
    list: Invitation,
  },
  acceptInvitationById: {
    method: 'POST',
    path: '/v1/auth/invitations/{id}/accept',
    summary: 'Accept an invitation of the signed-in user',
    description:
      'Signing in accepts no invitation: the user joins a workspace by this request, or by the link of the mail.',
    ...ofSignedInUser,
    params: invitationPath,
    ok: AcceptedInvitation,
    audit: { action: 'invitation.accepted', target: 'workspace', field: 'workspace_id' },
  },
  declineInvitation: {
    method: 'POST',
    path: '/v1/auth/invitations/{id}/decline',
    summary: 'Decline an invitation of the signed-in user; its link stops working',
    description: 'The workspace no longer lists the invitation. A new one can be sent later.',
    ...ofSignedInUser,
    params: invitationPath,
    ok: DeclinedInvitation,
    audit: { action: 'invitation.declined', target: 'invitation' },
  },
  acceptInvitationPage: {
    method: 'GET',
    path: '/v1/auth/invitations/accept',
    summary: 'The page that the link of an invitation opens; it asks for confirmation and changes nothing',
    credentials: 'none',
    query: linkQuery,
    response: 'html',
  },
  acceptInvitation: {
    method: 'POST',
    path: '/v1/auth/invitations/accept',
    summary: 'Accept an invitation by the token of its mail',
    description: 'The token is proof enough: no credential is needed. It works once, for seven days.',
    credentials: 'none',
    body: invitationToken,
    ok: AcceptedInvitation,
    errors: ['invalid_invitation', 'rate_limited'],
    audit: { action: 'invitation.accepted', target: 'workspace', field: 'workspace_id' },
  },
  confirmInvitation: {
    method: 'POST',
    path: '/v1/auth/invitations/accept/confirm',
    summary: 'Accept an invitation from its page',
    credentials: 'none',
    input: 'form',
    body: invitationToken,
    response: 'html',
    audit: { action: 'invitation.accepted', target: 'workspace', field: 'workspace_id' },
  },
})
