import { type authReauthentication, type Operation, problem } from '@wp/contracts'
import { enqueueMail } from '@wp/mail'
import type { Context } from '../context.ts'
import { createReauthenticationMail } from '../reauthentication/mail-template.ts'
import { countReauthenticationMail, rejectAfterWrongCodes } from '../reauthentication/reauthentication-limits.ts'
import { generateLinkToken, generateMailCode, loginLifetimeMinutes } from '../sign-in/login-secrets.ts'
import { generateLoginId, insertLogin } from '../store/sessions/logins.ts'
import { findAuthenticatedSession } from '../store/sessions/sessions.ts'

/** Mails a code to the signed-in user, for the session of the request alone. */
export const startReauthentication: Operation<typeof authReauthentication.startReauthentication, Context> = async (
  context,
  caller,
) => {
  const { database, derivedKeys, publicBaseUrl } = context
  const { credentialId: sessionId, principal, request } = caller
  return await database.transact(caller, async (tx) => {
    const session = await findAuthenticatedSession(tx.query, { sessionId, userId: principal.id })
    if (session === undefined) throw problem('revoked_credential')
    const { email } = session
    await rejectAfterWrongCodes(tx.query, email)
    await countReauthenticationMail(tx.query, email, request?.ip)
    const loginId = generateLoginId()
    const code = generateMailCode(derivedKeys, loginId)
    // The mail contains no link; the column requires a value, which no one knows.
    const tokenHash = generateLinkToken().hash
    const login = { loginId, email, tokenHash, codeHash: code.hash, redirectUri: null, codeChallenge: null, sessionId }
    const expiresAt = await insertLogin(tx.query, login, loginLifetimeMinutes)
    await enqueueMail(context, tx, {
      to: email,
      template: createReauthenticationMail(publicBaseUrl, code.text),
      expiresAt,
    })
    return { login_id: loginId, expires_at: expiresAt.toISOString() }
  })
}
