import type { authSignIn, BrowserAnswer, Operation, RequestCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { count } from '../limits/counters.ts'
import { attemptSeconds, type CarriedAttempt, openAttempt } from '../providers/attempt.ts'
import { type LinkRefusal, link } from '../providers/link.ts'
import type { Person, ProviderName } from '../providers/provider.ts'
import { hashSecret } from '../secrets/secret.ts'
import { attemptCookie } from '../sign-in/cookies.ts'
import { strayPage } from '../sign-in/pages.ts'
import { withParameter } from '../sign-in/redirect.ts'
import { loginCodeSeconds, newLoginCode } from '../sign-in/secrets.ts'
import { insertLoginCode } from '../store/logins.ts'
import { callbackUrl, providerOf } from './provider-login.ts'

type Callback = typeof authSignIn.googleCallback | typeof authSignIn.githubCallback

/** What an application is told instead of a code. */
type Refusal = LinkRefusal | 'provider_failed'

/** Takes the browser back from a provider, and sends it on with a code for the application. */
const callback =
  (name: ProviderName): Operation<Callback, Context> =>
  async (context, caller, { query, headers }): Promise<BrowserAnswer> => {
    const { base, sealer } = context
    providerOf(context, name)
    const cookie = attemptCookie(base)
    const expected = { provider: name, state: query.state, now: context.now() }
    const attempt = openAttempt(sealer, cookie.read(headers.cookie), expected)
    if (attempt === undefined || !(await isFirst(context, caller, attempt))) return strayPage()
    const { redirectUri } = attempt
    const onward = (parameter: 'login_code' | 'error', value: string) => ({
      location: withParameter(redirectUri, parameter, value),
      cookies: [cookie.clear()],
    })
    if (query.error === 'access_denied') return onward('error', 'access_denied' satisfies Refusal)
    const person = await whoCame(context, name, attempt, query)
    if (person === undefined) return onward('error', 'provider_failed' satisfies Refusal)
    const outcome = await loginCodeFor(context, caller, name, attempt, person)
    return 'code' in outcome ? onward('login_code', outcome.code) : onward('error', outcome.refused satisfies Refusal)
  }

/** Whether this attempt comes back for the first time: a kept cookie and address are of no use to anybody. */
async function isFirst({ database }: Context, caller: RequestCaller, { state }: CarriedAttempt): Promise<boolean> {
  const limit = { key: `login-attempt:${hashSecret(state)}`, quota: 1, windowSeconds: attemptSeconds * 2 }
  const [counted] = await database.transact(caller, (tx) => count(tx.query, [limit]))
  return counted?.exceeded === false
}

async function whoCame(
  context: Context,
  name: ProviderName,
  attempt: CarriedAttempt,
  query: Readonly<Record<string, string | undefined>>,
): Promise<Person | undefined> {
  const answer = new URL(callbackUrl(context.base, name))
  for (const [parameter, value] of Object.entries(query))
    if (value !== undefined) answer.searchParams.set(parameter, value)
  try {
    return await providerOf(context, name).person(attempt, answer)
  } catch (err) {
    context.log.warn({ err, provider: name }, 'a sign-in with a provider failed')
    return undefined
  }
}

async function loginCodeFor(
  context: Context,
  caller: RequestCaller,
  name: ProviderName,
  { codeChallenge }: CarriedAttempt,
  person: Person,
): Promise<{ code: string } | { refused: LinkRefusal }> {
  return await context.database.transact(caller, async (tx) => {
    const linked = await link(context, tx, name, person)
    if ('refused' in linked) return linked
    const code = newLoginCode()
    await insertLoginCode(tx.query, code.hash, { ...linked, method: name, codeChallenge }, loginCodeSeconds)
    return { code: code.text }
  })
}

export const googleCallback = callback('google')
export const githubCallback = callback('github')
