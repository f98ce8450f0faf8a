import { problem } from '@wp/contracts'
import type { Query } from '@wp/database'
import { enqueueMail, type MailTemplate } from '@wp/mail'
import { networkPrefix } from '@wp/service'
import type { Operation } from '../context.ts'
import { hashSecret } from '../secrets/secret.ts'
import { generateLinkToken, generateMailCode, loginLifetimeMinutes } from '../sign-in/login-secrets.ts'
import { incrementCounters, type RateLimit, readCounters, throwIfExceeded } from '../store/counters.ts'
import { generateLoginId, insertLogin } from '../store/sessions/logins.ts'
import { findAuthenticatedSession } from '../store/sessions/sessions.ts'

/** Mails a code to the signed-in user, for the session of the request alone. */
export const startReauthentication: Operation<'startReauthentication'> = async (context, caller) => {
  const { database, derivedKeys, productName } = context
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
      template: createReauthenticationMail(productName, code.text),
      expiresAt,
    })
    return { login_id: loginId, expires_at: expiresAt.toISOString() }
  })
}

/**
 * Creates the mail with the code of a re-authentication. The code is not in the subject: locked screens show subjects.
 */
const createReauthenticationMail = (productName: string, code: string): MailTemplate => ({
  subject: `Confirm that it is you: ${productName}`,
  heading: 'Confirm that it is you',
  blocks: [
    {
      text: 'You are signed in and about to make a protected change, such as revealing a secret, changing a role or deleting a workspace. To confirm that it is you, enter this code where you were asked for it:',
    },
    { code },
    {
      text: `This code expires in ${loginLifetimeMinutes} minutes and works once. It cannot be used to sign in. We will never ask you for it.`,
    },
    {
      text: 'If you did not request this, someone else may be using your account. Do not pass on the code, and end your other sessions.',
    },
  ],
})

const hour = 3_600
const day = 86_400

/**
 * Counts a mail against the limits of a user: those of sign-in mails per address. The counters are separate, because
 * strangers can use up those of sign-in mails.
 * @throws Problem `rate_limited`
 */
async function countReauthenticationMail(query: Query, email: string, ip: string | undefined): Promise<void> {
  const [to, from] = [hashSecret(email), networkPrefix(ip ?? 'unknown')]
  const limits = [
    { key: `reauthentication-mail:${to}:${from}`, quota: 5, windowSeconds: hour },
    { key: `reauthentication-mail:${to}`, quota: 20, windowSeconds: hour },
  ]
  throwIfExceeded(await incrementCounters(query, limits), 'Too many codes were requested')
}

/** Limits the wrong codes of an account per day, as those of sign-ins are limited. */
export const wrongReauthenticationCodeLimit = (email: string): RateLimit => ({
  key: `wrong-reauthentication-code:${hashSecret(email)}`,
  quota: 10,
  windowSeconds: day,
})

/** Rejects an account whose wrong codes of the day are used up: no mail would help. @throws Problem `rate_limited` */
async function rejectAfterWrongCodes(query: Query, email: string): Promise<void> {
  throwIfExceeded(await readCounters(query, [wrongReauthenticationCodeLimit(email)]), 'Too many wrong codes')
}
