import type { authSignIn, HtmlPage, Operation, Redirect, RequestCaller } from '@wp/contracts'
import { addQueryParameter } from '../authorization/authorization-request.ts'
import { startBrowserSession } from '../authorization/browser-session.ts'
import type { Context } from '../context.ts'
import {
  authorizationTimeoutSeconds,
  openPendingAuthorization,
  type PendingAuthorization,
} from '../providers/pending-authorization.ts'
import type { ProviderIdentity, ProviderName } from '../providers/provider.ts'
import { hashSecret } from '../secrets/secret.ts'
import { type Device, providerLoginCookies, readDevice } from '../sign-in/cookies.ts'
import { type LinkRejection, linkIdentity } from '../sign-in/link-identity.ts'
import { generateLoginCode, loginCodeLifetimeSeconds } from '../sign-in/login-secrets.ts'
import { invalidCallbackPage, providerSignInFailedPage } from '../sign-in/pages.ts'
import { incrementCounters } from '../store/counters.ts'
import { insertLoginCode } from '../store/sessions/logins.ts'
import { callbackUrl, requireProvider } from './provider-login.ts'

type CallbackQuery = Readonly<Record<string, string | undefined>>
type Callback = typeof authSignIn.googleCallback | typeof authSignIn.githubCallback

/** The `error` parameter sent to the application instead of a code. */
type CallbackError = LinkRejection | 'provider_failed'

/** Handles the redirect from a provider: signs the user in and redirects to the application with a login code. */
const createCallback =
  (name: ProviderName): Operation<Callback, Context> =>
  async (context, caller, { query, headers }): Promise<HtmlPage | Redirect> => {
    const { publicBaseUrl, sealer, now } = context
    requireProvider(context, name)
    const expected = { provider: name, state: query.state, now: now() }
    const [found] = providerLoginCookies(publicBaseUrl).flatMap((cookie) => {
      const pending = openPendingAuthorization(sealer, cookie.read(headers.cookie), expected)
      return pending === undefined ? [] : [{ pending, cookie }]
    })
    if (found === undefined || !(await isFirstCallback(context, caller, found.pending))) return invalidCallbackPage()
    const { pending, cookie } = found
    const { redirectUri } = pending
    const redirectWith = (parameter: 'login_code' | 'error', value: string) => ({
      location: addQueryParameter(redirectUri, parameter, value),
      cookies: [cookie.clear()],
    })
    if (pending.codeChallenge === null)
      return await continueAuthorization(context, caller, name, {
        pending,
        query,
        clearCookie: cookie.clear(),
        device: readDevice(publicBaseUrl, headers.cookie),
      })
    if (query.error === 'access_denied') return redirectWith('error', 'access_denied' satisfies CallbackError)
    const identity = await fetchIdentity(context, name, pending, query)
    if (identity === undefined) return redirectWith('error', 'provider_failed' satisfies CallbackError)
    const result = await issueLoginCode(context, caller, name, pending.codeChallenge, identity)
    return 'code' in result
      ? redirectWith('login_code', result.code)
      : redirectWith('error', result.rejection satisfies CallbackError)
  }

/** Returns true for the first callback of an authorization, so that a copied cookie and URL cannot be replayed. */
export async function isFirstCallback(
  { database }: Context,
  caller: RequestCaller,
  { state }: PendingAuthorization,
): Promise<boolean> {
  const limit = { key: `login-attempt:${hashSecret(state)}`, quota: 1, windowSeconds: authorizationTimeoutSeconds * 2 }
  const [status] = await database.transact(caller, (tx) => incrementCounters(tx.query, [limit]))
  return status?.isExceeded === false
}

async function fetchIdentity(
  context: Context,
  name: ProviderName,
  pending: PendingAuthorization,
  query: CallbackQuery,
): Promise<ProviderIdentity | undefined> {
  const url = new URL(callbackUrl(context.publicBaseUrl, name))
  for (const [parameter, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(parameter, value)
  try {
    return await requireProvider(context, name).fetchIdentity(pending, url)
  } catch (err) {
    context.log.warn({ event: 'provider_sign_in.failed', err, provider: name }, 'sign-in with a provider failed')
    return undefined
  }
}

/** Signs the browser in and returns it to the authorization it came from. An error is shown on a page. */
async function continueAuthorization(
  context: Context,
  caller: RequestCaller,
  name: ProviderName,
  {
    pending,
    query,
    clearCookie,
    device,
  }: { pending: PendingAuthorization; query: CallbackQuery; clearCookie: string; device: Device },
): Promise<HtmlPage | Redirect> {
  const { database } = context
  const identity = query.error === 'access_denied' ? undefined : await fetchIdentity(context, name, pending, query)
  const cookie =
    identity &&
    (await database.transact(caller, async (tx) => {
      const linked = await linkIdentity(context, tx, name, identity)
      return 'rejection' in linked
        ? undefined
        : await startBrowserSession(context, tx, caller, { ...linked, method: name, deviceToken: device.token })
    }))
  return cookie === undefined
    ? { ...providerSignInFailedPage(), cookies: [clearCookie] }
    : { location: pending.redirectUri, cookies: [cookie, device.cookie, clearCookie] }
}

async function issueLoginCode(
  context: Context,
  caller: RequestCaller,
  name: ProviderName,
  codeChallenge: string,
  identity: ProviderIdentity,
): Promise<{ code: string } | { rejection: LinkRejection }> {
  return await context.database.transact(caller, async (tx) => {
    const linked = await linkIdentity(context, tx, name, identity)
    if ('rejection' in linked) return linked
    const code = generateLoginCode()
    await insertLoginCode(tx.query, code.hash, { ...linked, method: name, codeChallenge }, loginCodeLifetimeSeconds)
    return { code: code.text }
  })
}

export const googleCallback = createCallback('google')
export const githubCallback = createCallback('github')
