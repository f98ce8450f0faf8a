import type { BrowserResponse } from '@wp/contracts'
import { toSingleLine } from '../mail/sanitize-text.ts'
import { renderPage } from '../pages/page.ts'

/** What asks whether to accept; nothing happens before the button is pressed. */
export const confirmInvitationPage = (workspaceName: string, role: string, token: string): BrowserResponse =>
  renderPage({
    title: 'Accept the invitation?',
    paragraphs: [`You are invited to the workspace ${toSingleLine(workspaceName)}, as ${toSingleLine(role)}.`],
    form: { action: '/v1/auth/invitations/accept/confirm', fields: { token }, label: 'Accept' },
  })

/** What says that it was accepted. */
export const invitationAcceptedPage = (workspaceName: string): BrowserResponse =>
  renderPage({
    title: 'You are in',
    paragraphs: [
      `You are now a member of ${toSingleLine(workspaceName)}. Sign in with the mail address you were invited by.`,
    ],
  })

/** What says that a link opens nothing. */
export const invalidInvitationPage = (status: number): BrowserResponse =>
  renderPage({
    title: 'The invitation is not valid',
    paragraphs: [
      'It was accepted, was taken back, was renewed by a later mail, or is older than seven days.',
      'Ask to be invited again.',
    ],
    status,
  })
