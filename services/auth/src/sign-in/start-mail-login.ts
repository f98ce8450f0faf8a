import type { RequestCaller } from '@wp/contracts'
import { enqueueMail } from '@wp/mail'
import type { Context } from '../context.ts'
import { type RateLimitHeaders, rateLimitHeaders, readCounters } from '../store/counters.ts'
import { generateLoginId, insertLogin } from '../store/sessions/logins.ts'
import { addLoginId, loginCookie } from './cookies.ts'
import { generateLinkToken, generateMailCode, loginLifetimeMinutes } from './login-secrets.ts'
import { createNoAccountMail, createSignInMail } from './mail-templates.ts'
import { incrementOrThrow, signInMailLimits, wrongCodeLimit } from './sign-in-limits.ts'
import { canSignIn } from './sign-up-policy.ts'

interface MailLogin {
  /** Lower case. */
  email: string
  /** Target of the link of the mail after the sign-in, if it can complete it. */
  redirectUri: string | null
  codeChallenge: string | null
  /** The logins that the browser has started before. */
  openLoginIds: readonly string[]
}

/** A started sign-in, with the `Set-Cookie` field that binds it to the browser and the rate-limit headers. */
interface StartedMailLogin {
  loginId: string
  expiresAt: Date
  cookie: string
  headers: RateLimitHeaders
}

/**
 * Starts a sign-in by mail. Does the same work for every address, so that it does not reveal accounts. An address that
 * cannot sign in gets a mail that says so.
 * @throws Problem `rate_limited`
 */
export async function startMailLogin(
  context: Context,
  caller: RequestCaller,
  { email, redirectUri, codeChallenge, openLoginIds }: MailLogin,
): Promise<StartedMailLogin> {
  const { publicBaseUrl, productName, database, derivedKeys } = context
  const loginId = generateLoginId()
  const token = generateLinkToken()
  const code = generateMailCode(derivedKeys, loginId)
  const { expiresAt, limits } = await database.transact(caller, async (tx) => {
    const limits = await incrementOrThrow(tx.query, signInMailLimits(email, caller.request?.ip))
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
          productName,
          token: token.text,
          code: hasLinkOnly ? undefined : code.text,
          hasRedirect: redirectUri !== null,
        })
      : createNoAccountMail(productName)
    await enqueueMail(context, tx, { to: email, template, expiresAt: loginExpiresAt })
    return { expiresAt: loginExpiresAt, limits }
  })
  const cookie = loginCookie(publicBaseUrl).set(addLoginId(openLoginIds, loginId), loginLifetimeMinutes * 60)
  return { loginId, expiresAt, cookie, headers: rateLimitHeaders(limits) }
}
