import type { HtmlPage } from '@wp/contracts'
import { toSingleLine } from '@wp/mail'
import { renderPage } from '@wp/service'

/** Asks for confirmation: opening the link alone accepts nothing. */
export const confirmInvitationPage = (workspaceName: string, role: string, token: string): HtmlPage =>
  renderPage({
    title: 'Accept the invitation?',
    paragraphs: [`You are invited to the workspace ${toSingleLine(workspaceName)}, as ${toSingleLine(role)}.`],
    form: { action: '/v1/auth/invitations/accept/confirm', fields: { token }, label: 'Accept' },
  })

export const invitationAcceptedPage = (workspaceName: string): HtmlPage =>
  renderPage({
    title: 'Invitation accepted',
    paragraphs: [
      `You are now a member of ${toSingleLine(workspaceName)}. Sign in with the mail address of the invitation.`,
    ],
  })

export const invalidInvitationPage = (status: number): HtmlPage =>
  renderPage({
    title: 'The invitation is not valid',
    paragraphs: [
      'It was already accepted, was withdrawn, was replaced by a later mail, or is older than seven days.',
      'Ask for a new invitation.',
    ],
    status,
  })
