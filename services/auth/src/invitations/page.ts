import type { BrowserAnswer } from '@wp/contracts'
import { oneLine } from '../mail/plain.ts'
import { page } from '../pages/page.ts'

/** What asks whether to accept; nothing happens before the button is pressed. */
export const askingPage = (workspaceName: string, role: string, token: string): BrowserAnswer =>
  page({
    title: 'Accept the invitation?',
    paragraphs: [`You are invited to the workspace ${oneLine(workspaceName)}, as ${oneLine(role)}.`],
    form: { action: '/v1/auth/invitations/accept/confirm', fields: { token }, label: 'Accept' },
  })

/** What says that it was accepted. */
export const acceptedPage = (workspaceName: string): BrowserAnswer =>
  page({
    title: 'You are in',
    paragraphs: [
      `You are now a member of ${oneLine(workspaceName)}. Sign in with the mail address you were invited by.`,
    ],
  })

/** What says that a link opens nothing. */
export const endedPage = (status: number): BrowserAnswer =>
  page({
    title: 'The invitation is not valid',
    paragraphs: [
      'It was accepted, was taken back, was renewed by a later mail, or is older than seven days.',
      'Ask to be invited again.',
    ],
    status,
  })
