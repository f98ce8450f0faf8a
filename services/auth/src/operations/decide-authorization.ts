import { randomBytes } from 'node:crypto'
import { grantScopes, type Redirect, type RequestCaller } from '@wp/contracts'
import { countDecision } from '../authorization/authorization-limits.ts'
import { authorizationAddress, authorizationResponseUrl } from '../authorization/authorization-request.ts'
import { isSameOrigin, readBrowserSession } from '../authorization/browser-session.ts'
import { type Consent, openConsent } from '../authorization/consent.ts'
import { expiredFormPage } from '../authorization/pages.ts'
import type { Context, Operation } from '../context.ts'
import { hashSecret, type Secret } from '../secrets/secret.ts'
import { loadGrants } from '../sessions/downscope.ts'
import { browserSessionCookie } from '../sign-in/cookies.ts'
import { insertAuthorizationCode } from '../store/sessions/authorization-codes.ts'
import type { BrowserSession } from '../store/sessions/browser-sessions.ts'
import { endSessionRow } from '../store/sessions/sessions.ts'

/**
 * Carries out the decision of the consent page: returns to the client with a code or with `access_denied`. The form
 * must come from the page that was shown in this session of this browser.
 */
export const decideAuthorization: Operation<'decideAuthorization'> = async (context, caller, { body, headers }) => {
  const session = isSameOrigin(headers) ? await readBrowserSession(context, headers.cookie) : undefined
  if (session === undefined) return expiredFormPage()
  const shown = { sessionId: session.sessionId, now: context.now() }
  const consent = openConsent(context.sealer, body.consent, shown)
  if (consent === undefined) return expiredFormPage()
  const userCaller = { ...caller, principal: { id: session.userId, type: 'user' as const } }
  switch (body.decision) {
    case 'approve':
      return await approve(context, userCaller, session, consent, body.workspace_id)
    case 'deny':
      return await deny(context, userCaller, consent)
    case 'switch':
      return await switchAccount(context, userCaller, session, consent)
    default:
      return expiredFormPage()
  }
}

const targetsOf = ({ clientId }: Consent) => [{ type: 'oauth_client', id: clientId }]

/** Issues a code for the chosen workspace, with the scopes that the user has there now. */
async function approve(
  context: Context,
  caller: RequestCaller,
  session: BrowserSession,
  consent: Consent,
  workspaceId: string | undefined,
) {
  const { publicBaseUrl, database } = context
  const grants = await loadGrants(database.extraPools.users, session)
  const grant = grants.find((candidate) => candidate.workspace_id === workspaceId)
  if (grant === undefined || workspaceId === undefined) return expiredFormPage()
  const scopes = grantScopes(consent.scopes.join(' '), grant.scopes)
  if (scopes === null)
    return { location: errorUrl(publicBaseUrl, consent, 'The user has none of these scopes in the workspace') }
  const code = generateAuthorizationCode()
  await database.transact({ ...caller, workspaceId, shard: grant.shard }, async (tx) => {
    await countDecision(tx.query, session.userId)
    const { clientId, clientName, redirectUri, codeChallenge, resource = null } = consent
    const { userId, method, authenticatedAt } = session
    const client = { clientId, clientName, redirectUri, codeChallenge }
    const granted = { ...client, workspaceId, userId, method, authenticatedAt, scopes, resource }
    await insertAuthorizationCode(tx.query, code.hash, granted, authorizationCodeLifetimeSeconds)
    tx.emitAudit({
      action: 'authorization.granted',
      targets: targetsOf(consent),
      changes: { client_name: clientName, redirect_uri: redirectUri, scopes },
    })
  })
  return { location: authorizationResponseUrl(publicBaseUrl, consent, { code: code.text }) }
}

const errorUrl = (issuer: string, consent: Consent, description: string): string =>
  authorizationResponseUrl(issuer, consent, { error: 'access_denied', error_description: description })

async function deny({ publicBaseUrl, database }: Context, caller: RequestCaller, consent: Consent): Promise<Redirect> {
  await database.transact(caller, async (tx) =>
    tx.emitAudit({ action: 'authorization.denied', targets: targetsOf(consent), outcome: 'denied' }),
  )
  return { location: errorUrl(publicBaseUrl, consent, 'The user denied the request') }
}

/** Signs the browser out and shows the request again. */
async function switchAccount(
  { publicBaseUrl, database }: Context,
  caller: RequestCaller,
  session: BrowserSession,
  consent: Consent,
): Promise<Redirect> {
  await database.transact(caller, async (tx) => {
    if (await endSessionRow(tx.query, session, 'logout'))
      tx.emitAudit({ action: 'session.ended', targets: [{ type: 'session', id: session.sessionId }] })
  })
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: consent.clientId,
    redirect_uri: consent.redirectUri,
    code_challenge: consent.codeChallenge,
    code_challenge_method: 'S256',
    scope: consent.scopes.join(' '),
    ...(consent.state === undefined ? {} : { state: consent.state }),
    ...(consent.resource === undefined ? {} : { resource: consent.resource }),
  })
  return {
    location: authorizationAddress(publicBaseUrl, query.toString()),
    cookies: [browserSessionCookie(publicBaseUrl).clear()],
  }
}

const authorizationCodeLifetimeSeconds = 60

/** Generates an authorization code: 256 random bits. */
function generateAuthorizationCode(): Secret {
  const text = `wpac_${randomBytes(32).toString('base64url')}`
  return { text, hash: hashSecret(text) }
}
