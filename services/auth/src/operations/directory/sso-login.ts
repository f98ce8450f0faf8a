import { type HtmlPage, Problem, problem, type Redirect, toMailAddress } from '@wp/contracts'
import { renderPage } from '@wp/service'
import { addQueryParameter } from '../../authorization/authorization-request.ts'
import { startBrowserSession } from '../../authorization/browser-session.ts'
import type { Context, Operation } from '../../context.ts'
import {
  authorizationTimeoutSeconds,
  createAuthorizationRequest,
  openPendingAuthorization,
  type PendingAuthorization,
  sealPendingAuthorization,
} from '../../providers/pending-authorization.ts'
import { loginVerifierCookies, placeOfNewCookie, providerLoginCookies } from '../../sign-in/cookies.ts'
import type { LinkRejection } from '../../sign-in/link-identity.ts'
import { generateLoginCode, loginCodeLifetimeSeconds } from '../../sign-in/login-secrets.ts'
import { invalidCallbackPage, providerSignInFailedPage } from '../../sign-in/pages.ts'
import { admitUser } from '../../sso/admit-user.ts'
import { isSamlRefusalReason, samlRefusals } from '../../sso/saml/saml-refusal.ts'
import { domainOf, readIdentity, redactClaims } from '../../sso/sso-claims.ts'
import { buildSsoUrl, fetchSsoClaims, ssoMethod } from '../../sso/sso-provider.ts'
import { openSsoTest } from '../../sso/sso-test.ts'
import type { Tx } from '../../store/client.ts'
import type { SsoClaims } from '../../store/directory/saml-assertions.ts'
import {
  findSsoConnectionOfDomain,
  findSsoConnectionOfWorkspace,
  type SsoConnectionRow,
} from '../../store/directory/sso-connections.ts'
import { listVerifiedDomains } from '../../store/directory/sso-domains.ts'
import { insertLoginCode } from '../../store/sessions/logins.ts'
import { switchToWorkspace } from '../../store/workspaces/workspaces.ts'
import { isFirstCallback } from '../provider-callback.ts'
import { readReturnTarget } from '../provider-login.ts'

/** Redirects the browser to the provider of the company that the domain of the address names, or of a test. */
export const loginWithSso: Operation<'loginWithSso'> = async (
  context,
  _caller,
  { query: { email, test, ...query }, headers },
) => {
  const { connection, isTest } = await findConnection(context, { email, test })
  const { workspaceId } = connection
  const { redirectUri, codeChallenge, verifier } = isTest
    ? { redirectUri: `${context.publicBaseUrl}/`, codeChallenge: null, verifier: undefined }
    : readReturnTarget(context, query)
  const request = createAuthorizationRequest()
  const endsAt = context.now() + authorizationTimeoutSeconds * 1000
  const pending = { provider: 'sso' as const, workspaceId, isTest, ...request, redirectUri, codeChallenge, endsAt }
  const url = await buildSsoUrl(context, connection, request).catch((cause: unknown) => {
    throw problem('bad_gateway', { detail: 'The provider of the company is unavailable', cause })
  })
  const pendingCookies = providerLoginCookies(context.publicBaseUrl)
  const place = placeOfNewCookie(pendingCookies, headers.cookie)
  const cookies = [
    pendingCookies[place]?.set(sealPendingAuthorization(context.sealer, pending), authorizationTimeoutSeconds),
    verifier &&
      loginVerifierCookies(context.publicBaseUrl)[place]?.set(
        verifier,
        authorizationTimeoutSeconds + loginCodeLifetimeSeconds,
      ),
  ]
  return { location: url.href, cookies: cookies.filter((cookie) => cookie !== undefined && cookie !== '') as string[] } // what is left are texts
}

async function findConnection(
  context: Context,
  { email, test }: { email?: string | undefined; test?: string | undefined },
): Promise<{ connection: SsoConnectionRow; isTest: boolean }> {
  const { worker } = context.database
  const tested = test === undefined ? undefined : openSsoTest(context, test)
  const address = email === undefined ? undefined : toMailAddress(email)
  const connection =
    tested !== undefined
      ? await findSsoConnectionOfWorkspace(worker, tested)
      : address === undefined
        ? undefined
        : await findSsoConnectionOfDomain(worker, domainOf(address))
  if (connection === undefined) throw problem('provider_not_configured')
  return { connection, isTest: tested !== undefined }
}

/** The `error` parameter sent to the application instead of a code. */
type CallbackError = LinkRejection | 'provider_failed'

/** Handles the redirect from the provider of a company. */
export const ssoCallback: Operation<'ssoCallback'> = async (
  context,
  caller,
  { params: { workspace_id: workspaceId }, query, headers },
): Promise<HtmlPage | Redirect> => {
  const { publicBaseUrl, sealer, now, database } = context
  const expected = { provider: 'sso' as const, state: query.state, now: now() }
  const [found] = providerLoginCookies(publicBaseUrl).flatMap((cookie) => {
    const pending = openPendingAuthorization(sealer, cookie.read(headers.cookie), expected)
    return pending?.workspaceId === workspaceId ? [{ pending, cookie }] : []
  })
  if (found === undefined || !(await isFirstCallback(context, caller, found.pending))) return invalidCallbackPage()
  const { pending } = found
  const cookies = [found.cookie.clear()]
  const fail = (error: CallbackError): HtmlPage | Redirect =>
    pending.codeChallenge === null
      ? { ...providerSignInFailedPage(), cookies }
      : { location: addQueryParameter(pending.redirectUri, 'error', error), cookies }
  const connection = await findSsoConnectionOfWorkspace(database.worker, workspaceId)
  const isTest = pending.isTest === true
  if (connection === undefined || (query.error === 'access_denied' && !isTest)) return fail('access_denied')
  const claims = await fetchClaims(context, connection, pending, query)
  if (isTest) {
    if (claims === undefined) return { ...failedTestPage(query.error_description), cookies }
    const domains = await database.read({ workspaceId }, (_db, sql) => listVerifiedDomains(sql, workspaceId))
    const isAccepted = readIdentity(claims, { groupsClaim: connection.groupsClaim, domains }) !== undefined
    return { ...testPage(claims, isAccepted), cookies }
  }
  if (claims === undefined) return fail('provider_failed')
  const method = ssoMethod(workspaceId)
  try {
    return await database.transact(caller, async (tx) => {
      const admitted = await admit(context, tx, connection, claims)
      if ('rejection' in admitted) return fail(admitted.rejection)
      await tx.switchWorkspace(null)
      if (pending.codeChallenge === null) {
        const cookie = await startBrowserSession(context, tx, caller, { ...admitted, method })
        return { location: pending.redirectUri, cookies: [cookie, ...cookies] }
      }
      const code = generateLoginCode()
      const { codeChallenge } = pending
      await insertLoginCode(tx.query, code.hash, { ...admitted, method, codeChallenge }, loginCodeLifetimeSeconds)
      return { location: addQueryParameter(pending.redirectUri, 'login_code', code.text), cookies }
    })
  } catch (error) {
    if (error instanceof Problem && error.code === 'quota_exceeded') return fail('access_denied')
    throw error
  }
}

async function admit(context: Context, tx: Tx, connection: SsoConnectionRow, claims: SsoClaims) {
  const { workspaceId, groupsClaim } = connection
  if (!(await switchToWorkspace(tx, workspaceId))) return { rejection: 'access_denied' as const }
  const identity = readIdentity(claims, { groupsClaim, domains: await listVerifiedDomains(tx.query, workspaceId) })
  if (identity === undefined) return { rejection: 'email_unverified' as const }
  const issuer = identityIssuer(connection, identity.issuer)
  return await admitUser(context, tx, workspaceId, { ...identity, issuer })
}

/** An entity id proves nothing, so the identities of a SAML provider are those of the workspace that named it. */
const identityIssuer = ({ kind, workspaceId }: SsoConnectionRow, issuer: string): string =>
  kind === 'saml' ? `saml:${workspaceId}:${issuer}` : issuer

/** Returns the verified claims; undefined if the provider's response is invalid, which is logged. */
async function fetchClaims(
  context: Context,
  connection: SsoConnectionRow,
  pending: PendingAuthorization,
  query: Readonly<Record<string, string | undefined>>,
): Promise<SsoClaims | undefined> {
  try {
    return await fetchSsoClaims(context, connection, pending, query)
  } catch (err) {
    context.log.warn(
      { event: 'sso_sign_in.failed', err, workspace_id: connection.workspaceId },
      'sign-in with the provider of a company failed',
    )
    return undefined
  }
}

const testPage = (claims: SsoClaims, isAccepted: boolean): HtmlPage =>
  renderPage({
    title: isAccepted ? 'The test succeeded' : 'The test failed',
    paragraphs: [
      isAccepted
        ? 'The mail address is of a verified domain, so a member with it can sign in.'
        : 'The response is valid, but it has no mail address of a verified domain, so the sign-in would be refused.',
      'Claims of the provider, shortened:',
      ...redactClaims(claims),
    ],
  })

const failedTestPage = (reason: string | undefined): HtmlPage =>
  renderPage({
    title: 'The test failed',
    status: 400,
    paragraphs: [
      isSamlRefusalReason(reason)
        ? samlRefusals[reason]
        : 'The response of the provider is not valid. The log of the platform has the reason.',
    ],
  })
