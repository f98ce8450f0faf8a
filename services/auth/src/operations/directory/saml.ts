import { type HtmlPage, problem, type Redirect } from '@wp/contracts'
import type { Context, Operation } from '../../context.ts'
import { hashSecret } from '../../secrets/secret.ts'
import { generateLoginCode } from '../../sign-in/login-secrets.ts'
import { invalidCallbackPage } from '../../sign-in/pages.ts'
import type { SamlAssertion } from '../../sso/saml/read-assertion.ts'
import { SamlRefusal } from '../../sso/saml/saml-refusal.ts'
import { buildServiceMetadata, expectedResponse, samlKeys, samlRequestId } from '../../sso/saml/service-provider.ts'
import { verifyResponse } from '../../sso/saml/verify-response.ts'
import { ssoCallbackUrl } from '../../sso/sso-addresses.ts'
import { domainOf, readIdentity } from '../../sso/sso-claims.ts'
import { requireSamlProvider } from '../../sso/sso-provider.ts'
import { insertSamlAssertion, type SsoClaims } from '../../store/directory/saml-assertions.ts'
import { findSsoConnectionOfWorkspace, type SsoConnectionRow } from '../../store/directory/sso-connections.ts'
import { listVerifiedDomains } from '../../store/directory/sso-domains.ts'
import { switchToWorkspace } from '../../store/workspaces/workspaces.ts'

type Caller = Parameters<Operation<'samlCallback'>>[1]

/**
 * Receives the form of an identity provider. It comes from another site, so it has no cookie: what it proves is stored,
 * and the browser takes a code for it to `ssoCallback`, which checks that this browser began the sign-in.
 */
export const samlCallback: Operation<'samlCallback'> = async (
  context,
  caller,
  { params: { workspace_id: workspaceId }, body },
): Promise<HtmlPage | Redirect> => {
  const connection = await requireSamlConnection(context, workspaceId)
  // Providers send a relay state of their own with a response that answers no request.
  const state = /^[A-Za-z0-9_-]{43}$/.test(body.RelayState ?? '') ? body.RelayState : undefined
  const requestId = state === undefined ? undefined : samlRequestId(state)
  const redirectWith = (parameters: Record<string, string>) => ({
    location: `${ssoCallbackUrl(context.publicBaseUrl, workspaceId)}?${new URLSearchParams(parameters)}`,
  })
  try {
    const keys = samlKeys(context, connection, await requireSamlProvider(context, workspaceId))
    const expected = expectedResponse(context.publicBaseUrl, connection, requestId)
    const assertion = await verifyResponse(body.SAMLResponse ?? '', keys, expected, context.now())
    const claims = claimsOfAssertion(connection.issuer, assertion)
    if (state === undefined || requestId === undefined) return await startSignIn(context, caller, connection, claims)
    const code = generateLoginCode()
    const isFirst = await context.database.transact(caller, async (tx) => {
      if (!(await switchToWorkspace(tx, workspaceId))) throw problem('provider_not_configured')
      return await insertSamlAssertion(tx, {
        workspaceId,
        requestId,
        claims,
        codeHash: code.hash,
        assertionHash: hashSecret(assertion.id),
        expiresAt: new Date(assertion.expiresAtMs),
      })
    })
    if (!isFirst) throw new SamlRefusal('replayed')
    return redirectWith({ state, code: code.text })
  } catch (err) {
    if (!(err instanceof SamlRefusal)) throw err
    const { reason, isDenied } = err
    context.log.warn(
      { event: 'saml_response.refused', reason, err, workspace_id: workspaceId },
      'refused a response of the SAML provider of a company',
    )
    if (state === undefined) return invalidCallbackPage()
    return redirectWith({ state, error: isDenied ? 'access_denied' : 'provider_failed', error_description: reason })
  }
}

/**
 * Sends a browser that came from its identity provider without a request to the sign-in page, which starts a sign-in
 * with a request at once. The response itself signs in no one: anyone could have sent it through this browser.
 */
async function startSignIn(
  context: Context,
  caller: Caller,
  { workspaceId, groupsClaim }: SsoConnectionRow,
  claims: SsoClaims,
): Promise<HtmlPage | Redirect> {
  const domains = await context.database.transact(caller, async (tx) =>
    (await switchToWorkspace(tx, workspaceId)) ? await listVerifiedDomains(tx.query, workspaceId) : [],
  )
  const identity = readIdentity(claims, { groupsClaim, domains })
  if (identity === undefined) return invalidCallbackPage()
  const query = new URLSearchParams({ company: domainOf(identity.email) })
  return { location: `${context.publicBaseUrl}/console/sign-in?${query}` }
}

/** Returns the metadata of a workspace as a service provider. */
export const samlMetadata: Operation<'samlMetadata'> = async (
  context,
  _caller,
  { params: { workspace_id: workspaceId } },
) => {
  const connection = await requireSamlConnection(context, workspaceId)
  const body = await buildServiceMetadata(context, connection, await requireSamlProvider(context, workspaceId))
  return { status: 200, headers: { 'content-type': 'application/samlmetadata+xml; charset=utf-8' }, body }
}

async function requireSamlConnection({ database }: Context, workspaceId: string): Promise<SsoConnectionRow> {
  const connection = await findSsoConnectionOfWorkspace(database.worker, workspaceId)
  if (connection?.kind !== 'saml') throw problem('provider_not_configured')
  return connection
}

/** Names under which identity providers send the mail address. */
const mailAttributes = [
  'email',
  'mail',
  'emailAddress',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
]

/**
 * Returns the claims of an assertion. The mail address is the only value of the first attribute for it, or else the
 * name identifier. Attributes never replace the claims that identify the user.
 */
function claimsOfAssertion(issuer: string, { nameId, attributes }: SamlAssertion): SsoClaims {
  const values = mailAttributes.map((name) => attributes.get(name)).find((found) => found !== undefined)
  const email = values === undefined ? nameId : values.length === 1 ? values[0] : undefined
  return { ...Object.fromEntries(attributes), iss: issuer, sub: nameId, email, email_verified: undefined }
}
