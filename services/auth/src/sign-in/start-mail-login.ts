import type { RequestCaller } from '@wp/contracts'
import { enqueueMail, type MailTemplate } from '@wp/mail'
import type { Context } from '../context.ts'
import { type RateLimitHeaders, rateLimitHeaders, readCounters } from '../store/counters.ts'
import { generateLoginId, insertLogin } from '../store/sessions/logins.ts'
import { loginCookie } from './cookies.ts'
import { generateLinkToken, generateMailCode, loginLifetimeMinutes } from './login-secrets.ts'
import { incrementOrThrow, signInMailLimits, wrongCodeLimit } from './sign-in-limits.ts'
import { canSignIn } from './sign-up-policy.ts'

const notRequestedText = 'If you did not request this, ignore this mail. Your account is unchanged.'

interface MailLogin {
  /** Lower case. */
  email: string
  /** Target of the link of the mail after the sign-in, if it can complete it. */
  redirectUri: string | null
  codeChallenge: string | null
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
  { email, redirectUri, codeChallenge }: MailLogin,
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
  const cookie = loginCookie(publicBaseUrl, loginId).set('1', loginLifetimeMinutes * 60)
  return { loginId, expiresAt, cookie, headers: rateLimitHeaders(limits) }
}

interface SignInMailOptions {
  publicBaseUrl: string
  productName: string
  token: string
  /** Undefined if the account has used up its wrong codes for the day; the mail then contains only the link. */
  code: string | undefined
  /** True if the sign-in names a redirect URI, so that the link can complete it in the browser. */
  hasRedirect: boolean
}

/** Creates the sign-in mail. The code is not in the subject because locked screens show subjects. */
function createSignInMail(options: SignInMailOptions): MailTemplate {
  const { publicBaseUrl, productName, token, code, hasRedirect } = options
  const link = `${publicBaseUrl}/v1/auth/login/link?token=${token}`
  const secret = code === undefined ? 'link' : 'code'
  return {
    subject: `Sign in to ${productName}`,
    heading: 'Sign in',
    blocks: [
      ...(code === undefined ? [] : [{ text: 'Enter this code where you started to sign in:' }, { code }]),
      hasRedirect
        ? { text: `${code === undefined ? 'Open' : 'Or open'} this link in the browser where you started to sign in:` }
        : {
            text: `${code === undefined ? 'Copy' : 'Or copy'} this link to the application where you started to sign in:`,
          },
      hasRedirect ? { button: link, label: 'Sign in' } : { link, label: link },
      {
        text: `This ${secret} expires in ${loginLifetimeMinutes} minutes and works once. We will never ask you for it.`,
      },
    ],
    footer: [{ text: notRequestedText }],
  }
}

/** Creates the mail to an address that has no account and cannot sign up. */
const createNoAccountMail = (productName: string): MailTemplate => ({
  subject: `Sign in to ${productName}`,
  heading: 'There is no account for this address',
  blocks: [
    { text: 'A sign-in with this address was requested. There is no account for this address that can sign in.' },
    { text: 'If you requested it, ask for an invitation to a workspace, or try another address.' },
  ],
  footer: [{ text: notRequestedText }],
})
