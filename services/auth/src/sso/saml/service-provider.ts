import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { SamlProviderRow } from '../../store/directory/saml-providers.ts'
import { type SsoConnectionRow, ssoSecretData } from '../../store/directory/sso-connections.ts'
import { ssoCallbackUrl } from '../sso-addresses.ts'
import type { ExpectedResponse } from './inspect-response.ts'
import type { ResponseKeys } from './verify-response.ts'

type Connection = Pick<SsoConnectionRow, 'workspaceId' | 'issuer' | 'clientId' | 'secretSealed'>

/**
 * Returns the id of the request with a relay state. It follows from the relay state, so that a response can be verified
 * before the browser that began the sign-in, whose cookie a form of another site does not send, is known.
 */
export const samlRequestId = (state: string): string => `_${createHash('sha256').update(state).digest('hex')}`

/** Returns the address of the identity provider with a request for an assertion (HTTP redirect binding). */
export async function buildSamlRequestUrl(
  context: Pick<Context, 'sealer' | 'publicBaseUrl'>,
  connection: Connection,
  provider: SamlProviderRow,
  state: string,
): Promise<URL> {
  const { SAML } = await import('@node-saml/node-saml')
  const { privateKey } = samlKeys(context, connection, provider)
  const request = new SAML({
    ...serviceOptions(context, connection),
    idpCert: provider.certificates,
    entryPoint: provider.signInUrl,
    generateUniqueId: () => samlRequestId(state),
    disableRequestedAuthnContext: true,
    ...(provider.signsRequests ? { privateKey } : {}),
  })
  return new URL(await request.getAuthorizeUrlAsync(state, undefined, {}))
}

/** Returns the metadata of a workspace as a service provider. */
export async function buildServiceMetadata(
  context: Pick<Context, 'sealer' | 'publicBaseUrl'>,
  connection: Connection,
  provider: SamlProviderRow,
): Promise<string> {
  const { SAML } = await import('@node-saml/node-saml')
  const { privateKey } = samlKeys(context, connection, provider)
  const service = new SAML({
    ...serviceOptions(context, connection),
    idpCert: provider.certificates,
    generateUniqueId: () => samlRequestId(connection.clientId),
    wantAssertionsSigned: true,
    decryptionPvk: privateKey,
    ...(provider.signsRequests ? { privateKey } : {}),
  })
  return service.generateServiceProviderMetadata(provider.ownCertificate, provider.ownCertificate)
}

const serviceOptions = ({ publicBaseUrl }: Pick<Context, 'publicBaseUrl'>, { clientId, workspaceId }: Connection) => ({
  issuer: clientId,
  callbackUrl: ssoCallbackUrl(publicBaseUrl, workspaceId),
  identifierFormat: null,
  signatureAlgorithm: 'sha256' as const,
})

/** Returns the keys for the responses of a connection. */
export const samlKeys = (
  { sealer }: Pick<Context, 'sealer'>,
  { workspaceId, secretSealed }: Connection,
  { certificates }: Pick<SamlProviderRow, 'certificates'>,
): ResponseKeys => ({ certificates, privateKey: sealer.open(secretSealed, ssoSecretData(workspaceId)) })

/** Returns the values that a response for a connection must have. */
export const expectedResponse = (
  publicBaseUrl: string,
  { issuer, clientId, workspaceId }: Connection,
  requestId: string | undefined,
): ExpectedResponse => ({
  issuer,
  audience: clientId,
  recipient: ssoCallbackUrl(publicBaseUrl, workspaceId),
  requestId,
})
