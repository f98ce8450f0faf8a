import { type authSignIn, invalidField, type Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { enqueueMail } from '../mail/mail-queue.ts'
import { readCounters } from '../rate-limits/counters.ts'
import { loginCookie } from '../sign-in/cookies.ts'
import { generateLinkToken, generateMailCode, loginLifetimeMinutes } from '../sign-in/login-secrets.ts'
import { createNoAccountMail, createSignInMail } from '../sign-in/mail-templates.ts'
import { incrementOrThrow, signInMailLimits, wrongCodeLimit } from '../sign-in/sign-in-limits.ts'
import { canSignIn } from '../sign-in/sign-up-policy.ts'
import { generateLoginId, insertLogin } from '../store/sessions/logins.ts'

/**
 * Starts a sign-in by mail. Does the same work and sends the same response for every address, so that it does not
 * reveal accounts. An address that cannot sign in gets a mail that says so.
 */
export const login: Operation<typeof authSignIn.login, Context> = async (context, caller, { body }) => {
  const { publicBaseUrl, database, redirectUris, derivedKeys } = context
  const { redirect_uri: redirectUri = null, code_challenge: codeChallenge = null } = body
  if (redirectUri !== null && !redirectUris.has(redirectUri))
    throw invalidField('/redirect_uri', 'is not one of the allowed redirect URIs')
  const email = body.email.toLowerCase()
  const loginId = generateLoginId()
  const token = generateLinkToken()
  const code = generateMailCode(derivedKeys, loginId)
  const expiresAt = await database.transact(caller, async (tx) => {
    await incrementOrThrow(tx.query, signInMailLimits(email, caller.request?.ip))
    const [wrongCodes] = await readCounters(tx.query, [wrongCodeLimit(email)])
    const hasLinkOnly = wrongCodes?.isExceeded === true
    const fields = { loginId, email, tokenHash: token.hash, redirectUri, codeChallenge }
    const loginExpiresAt = await insertLogin(
      tx.query,
      { ...fields, codeHash: hasLinkOnly ? null : code.hash },
      loginLifetimeMinutes,
    )
    const template = (await canSignIn(context, tx, email))
      ? createSignInMail({
          publicBaseUrl,
          token: token.text,
          code: hasLinkOnly ? undefined : code.text,
          hasRedirect: redirectUri !== null,
        })
      : createNoAccountMail(publicBaseUrl)
    await enqueueMail(context, tx, { to: email, template, expiresAt: loginExpiresAt })
    return loginExpiresAt
  })
  return {
    result: { login_id: loginId, expires_at: expiresAt.toISOString() },
    cookies: [loginCookie(publicBaseUrl).set(loginId, loginLifetimeMinutes * 60)],
  }
}
