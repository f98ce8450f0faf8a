import { consoleCallbackPath } from '@wp/contracts'
import type { Context } from '../context.ts'
import { isPendingSignIn, storePendingSignIn } from '../store/pending-sign-ins.ts'
import { codeChallengeOf, codeVerifierOf, generateCookieSecret, hashCookieSecret } from './cookies.ts'
import { pendingSignInSeconds } from './lifetime.ts'
import { createSystemCaller } from './system-caller.ts'

/** A sign-in that the browser can complete with its cookie. */
export interface BegunSignIn {
  redirectUri: string
  codeChallenge: string
  /** `Set-Cookie` field. */
  cookie: string
}

/**
 * Begins a sign-in that comes back to the console. A browser that has begun one before keeps its verifier, so that each
 * of the mails it asked for works.
 */
export async function beginSignIn(
  { config, database, cookies, now }: Pick<Context, 'config' | 'database' | 'cookies' | 'now'>,
  { signInSecret: sent }: { signInSecret: string | undefined },
): Promise<BegunSignIn> {
  const secret = await database.transact(createSystemCaller(config), async ({ query }) => {
    const isKept = sent !== undefined && (await isPendingSignIn(query, hashCookieSecret(sent), new Date(now())))
    const chosen = isKept ? sent : generateCookieSecret()
    await storePendingSignIn(query, hashCookieSecret(chosen), new Date(now() + pendingSignInSeconds * 1_000))
    return chosen
  })
  return {
    redirectUri: config.PUBLIC_BASE_URL + consoleCallbackPath,
    codeChallenge: codeChallengeOf(codeVerifierOf(secret)),
    cookie: cookies.pendingSignIn.set(secret, pendingSignInSeconds),
  }
}
