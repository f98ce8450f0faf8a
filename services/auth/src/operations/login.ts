import { type authSignIn, invalidField, type Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { standing } from '../limits/counters.ts'
import { enqueueMail } from '../mail/queue.ts'
import { mayEnter } from '../sign-in/admission.ts'
import { loginCookie } from '../sign-in/cookies.ts'
import { noAccountLetter, signInLetter } from '../sign-in/letters.ts'
import { countOrRefuse, mailLimits, wrongCodes } from '../sign-in/limits.ts'
import { loginMinutes, newLinkToken, newMailCode } from '../sign-in/secrets.ts'
import { insertLogin, newLoginId } from '../store/logins.ts'

/**
 * Begins a sign-in by mail. Whoever the address belongs to, the same is done and answered; who may not sign in gets a
 * mail that says so.
 */
export const login: Operation<typeof authSignIn.login, Context> = async (context, caller, { body }) => {
  const { base, database, redirectUris, serverKeys } = context
  const { redirect_uri: redirectUri = null, code_challenge: codeChallenge = null } = body
  if (redirectUri !== null && !redirectUris.has(redirectUri))
    throw invalidField('/redirect_uri', 'is not one that the operator listed')
  const email = body.email.toLowerCase()
  const loginId = newLoginId()
  const token = newLinkToken()
  const code = newMailCode(serverKeys, loginId)
  const expiresAt = await database.transact(caller, async (tx) => {
    await countOrRefuse(tx.query, mailLimits(email, caller.request?.ip))
    const [wrong] = await standing(tx.query, [wrongCodes(email)])
    const linkAlone = wrong?.exceeded === true
    const facts = { loginId, email, tokenHash: token.hash, redirectUri, codeChallenge }
    const until = await insertLogin(tx.query, { ...facts, codeHash: linkAlone ? null : code.hash }, loginMinutes)
    const letter = (await mayEnter(context, tx, email))
      ? signInLetter({
          base,
          token: token.text,
          code: linkAlone ? undefined : code.text,
          leadsOn: redirectUri !== null,
        })
      : noAccountLetter(base)
    await enqueueMail(context, tx, { to: email, letter, expiresAt: until })
    return until
  })
  return {
    answer: { login_id: loginId, expires_at: expiresAt.toISOString() },
    cookies: [loginCookie(base).set(loginId, loginMinutes * 60)],
  }
}
