import type { HtmlPage, RequestCaller } from '@wp/contracts'
import { countMetadataFetch } from '../authorization/authorization-limits.ts'
import {
  type AuthorizationQuery,
  authorizationResponseUrl,
  type ClientAuthorizationRequest,
  checkAuthorizationRequest,
  findRedirectUri,
} from '../authorization/authorization-request.ts'
import { readBrowserSession } from '../authorization/browser-session.ts'
import { sealConsent } from '../authorization/consent.ts'
import {
  consentPage,
  noWorkspacePage,
  rejectedClientPage,
  rejectedRequestPage,
  signInPage,
} from '../authorization/pages.ts'
import { type Client, InvalidClientError } from '../clients/client-metadata.ts'
import type { Context, Operation } from '../context.ts'
import { providerNames } from '../providers/provider.ts'
import { workerQuery } from '../store/cross-workspace.ts'
import type { BrowserSession } from '../store/sessions/browser-sessions.ts'
import { listMemberships } from '../store/users.ts'

/**
 * Starts an authorization (RFC 6749 section 4.1.1). A browser that is not signed in gets the sign-in page first, and
 * comes back to the same address. The user always decides: no earlier decision is remembered.
 *
 * Clients register themselves, so nothing is redirected to one before a signed-in user has acted (RFC 9700 section
 * 4.11.2); the error of a request is shown on a page.
 */
export const authorize: Operation<'authorize'> = async (context, caller, { query, headers }) => {
  const client = await findClient(context, caller, query.client_id)
  if (typeof client === 'string') return rejectedClientPage(client)
  const redirectUri = findRedirectUri(client, query.redirect_uri)
  if (redirectUri === undefined)
    return rejectedClientPage('Its redirect_uri is missing, or is not one of its registered redirect_uris.')
  const target = { redirectUri, state: query.state }
  const request = checkAuthorizationRequest(context.publicBaseUrl, client, target, query)
  const session = await readBrowserSession(context, headers.cookie)
  if ('error' in request) {
    const { error, description } = request
    const parameters = { error, error_description: description }
    const returnUrl = authorizationResponseUrl(context.publicBaseUrl, target, parameters)
    return rejectedRequestPage(client, description, session === undefined ? undefined : returnUrl)
  }
  return session === undefined
    ? signInPage({
        client,
        authorization: serializeQuery(query),
        providers: providerNames.filter((name) => context.providers.get(name) !== undefined),
      })
    : await askForConsent(context, request, session)
}

/** Returns the client of a request, or the reason why there is none, for the user. */
async function findClient(
  { clients, database }: Context,
  { request }: RequestCaller,
  clientId: string | undefined,
): Promise<Client | string> {
  if (clientId === undefined) return 'Its request has no client_id.'
  const admitFetch = (url: URL) => countMetadataFetch(workerQuery(database.extraPools.tokens), url.host, request?.ip)
  return await clients.find(clientId, admitFetch).catch((error: unknown) => {
    if (error instanceof InvalidClientError) return error.message
    throw error
  })
}

async function askForConsent(
  { database, sealer, now }: Context,
  request: ClientAuthorizationRequest,
  session: BrowserSession,
): Promise<HtmlPage> {
  const memberships = await listMemberships(database.extraPools.users, session.userId)
  if (memberships.length === 0) return noWorkspacePage(session.email)
  const { client, redirectUri, scopes } = request
  const workspaces = memberships.map(({ workspaceId, name }) => ({ workspaceId, name }))
  const consent = sealConsent(sealer, request, session.sessionId, now())
  return consentPage({ client, redirectUri, scopes, email: session.email, workspaces, consent })
}

/** Returns the known parameters of a request as a query. */
const serializeQuery = (query: AuthorizationQuery): string =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value ?? []].flat().map((text): [string, string] => [name, text]),
    ),
  ).toString()
