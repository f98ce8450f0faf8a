import type { HtmlPage } from '@wp/contracts'
import { renderPage } from '@wp/service'
import type { Operation } from '../context.ts'
import { publishInvalidation } from '../identity-log.ts'
import { readAlertToken } from '../sign-in/sign-in-alert.ts'
import { endReportedSessionRow } from '../store/sessions/sessions.ts'

/** Shows the page of the link in a sign-in alert. Changes nothing, because mail scanners open links too. */
export const showSignInAlert: Operation<'showSignInAlert'> = async (_context, _caller, { query: { token } }) =>
  renderPage({
    title: 'Was this not you?',
    paragraphs: ['That device is then signed out at once.'],
    form: { action: '/v1/auth/login/alert', fields: { token }, label: 'Sign that device out' },
  })

/** Ends the session of the alert when the button of the page is pressed. The link works once. */
export const endReportedSession: Operation<'endReportedSession'> = async (
  context,
  caller,
  { body: { token = '' } },
): Promise<HtmlPage> => {
  const sessionId = readAlertToken(context.derivedKeys, token)
  return await context.database.transact(caller, async (tx) => {
    const userId = sessionId === undefined ? undefined : await endReportedSessionRow(tx.query, sessionId)
    if (sessionId === undefined || userId === undefined) return nothingToEndPage()
    const targets = [
      { type: 'session', id: sessionId },
      { type: 'user', id: userId },
    ]
    tx.emitAudit({ action: 'session.reported', targets }, { id: userId, type: 'user' })
    publishInvalidation(context, tx, { credential_id: sessionId })
    return endedPage()
  })
}

const endedPage = (): HtmlPage =>
  renderPage({
    title: 'The device is signed out',
    paragraphs: [
      'Whoever it was could read your mail or has one of your devices: change the password of your mailbox.',
      'Then look at your other sessions, and add a passkey.',
    ],
    next: { href: '/console/', label: 'Open the console' },
  })

const nothingToEndPage = (): HtmlPage =>
  renderPage({
    title: 'There is nothing to end',
    status: 400,
    paragraphs: ['That sign-in has ended already, or the link is incomplete.'],
    next: { href: '/console/', label: 'Open the console' },
  })
