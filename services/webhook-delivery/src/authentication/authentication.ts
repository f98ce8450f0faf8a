import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { invalidField, type NewWebhookAuthentication, type WebhookAuthentication } from '@wp/contracts'
import { type Outbound, OutboundError } from '@wp/outbound'
import type { Sealer } from '@wp/service'

const [certificateField, keyField] = ['/authentication/certificate', '/authentication/private_key']

/** Extended key usage of TLS clients (RFC 5280, section 4.2.1.12). */
const clientAuthenticationUsage = '1.3.6.1.5.5.7.3.2'

/** The way the platform authenticates at an endpoint, with its secrets, as opened. */
export type Authentication = NewWebhookAuthentication
export type ClientCredentials = Extract<Authentication, { type: 'oauth2_client_credentials' }>

/**
 * Validates the authentication of a subscription and returns the part that is shown.
 * @throws Problem `validation_failed`, or `invalid_endpoint` for the token URL, with a pointer to the field
 */
export async function checkAuthentication(
  outbound: Pick<Outbound, 'validateUrl'>,
  authentication: Authentication,
  nowMs: number,
): Promise<WebhookAuthentication> {
  switch (authentication.type) {
    case 'basic':
      return { type: 'basic', username: authentication.username }
    case 'oauth2_client_credentials': {
      await checkTokenUrl(outbound, authentication.token_url)
      const { client_secret: _secret, ...shown } = authentication
      return shown
    }
    case 'mtls':
      return checkClientCertificate(authentication, nowMs)
  }
}

async function checkTokenUrl(outbound: Pick<Outbound, 'validateUrl'>, url: string): Promise<void> {
  try {
    await outbound.validateUrl(url)
  } catch (error) {
    if (error instanceof OutboundError && error.isAddressRejected)
      throw invalidField('/authentication/token_url', error.message, 'invalid_endpoint')
    throw error
  }
}

/**
 * Rejects a custom header that the authentication sets itself.
 * @param headers names of the custom headers
 * @throws Problem `validation_failed`
 */
export function rejectHeaderConflict(type: Authentication['type'] | undefined, headers: readonly string[]): void {
  const name = headers.find((each) => each.toLowerCase() === 'authorization')
  if (name !== undefined && (type === 'basic' || type === 'oauth2_client_credentials'))
    throw invalidField(`/headers/${name}`, 'cannot be combined with `authentication`, which sets this header')
}

/** Returns the associated data of a sealed authentication. */
export const authenticationBinding = (webhookId: string): string => `${webhookId}/authentication`

export const sealAuthentication = (sealer: Sealer, webhookId: string, authentication: Authentication): string =>
  sealer.seal(JSON.stringify(authentication), authenticationBinding(webhookId))

/** @throws Error if the key is unknown or the value was tampered with */
export const openAuthentication = (sealer: Sealer, webhookId: string, sealed: string): Authentication =>
  JSON.parse(sealer.open(sealed, authenticationBinding(webhookId))) as Authentication // sealed in this shape only

type NewClientCertificate = Extract<NewWebhookAuthentication, { type: 'mtls' }>
type ClientCertificateView = Extract<WebhookAuthentication, { type: 'mtls' }>

/**
 * Validates a client certificate and its private key, and returns what is shown of it.
 * @throws Problem `validation_failed` with a pointer to the field and the reason
 */
function checkClientCertificate(given: NewClientCertificate, nowMs: number): ClientCertificateView {
  const certificate = parseCertificate(given.certificate)
  const key = parseKey(given.private_key)
  if (!certificate.checkPrivateKey(key)) throw invalidField(keyField, 'does not belong to the certificate')
  const { validToDate, keyUsage, subject, fingerprint256 } = certificate
  if (validToDate.getTime() <= nowMs)
    throw invalidField(certificateField, `has expired at ${validToDate.toISOString()}`)
  // Undefined, against its type, if the certificate has no such extension.
  const usages: string[] | undefined = keyUsage
  if (usages !== undefined && !usages.includes(clientAuthenticationUsage))
    throw invalidField(certificateField, 'is not valid for the authentication of clients')
  requireUsable(given)
  return {
    type: 'mtls',
    subject: subject?.replaceAll('\n', ', ') ?? '',
    fingerprint_sha256: fingerprint256,
    expires_at: validToDate.toISOString(),
  }
}

function parseCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw invalidField(certificateField, 'is not a certificate in PEM')
  }
}

function parseKey(pem: string): KeyObject {
  if (/ENCRYPTED/.test(pem)) throw invalidField(keyField, 'is encrypted; send it without a passphrase')
  try {
    return createPrivateKey(pem)
  } catch {
    throw invalidField(keyField, 'is not a private key in PEM')
  }
}

/** Requires what OpenSSL requires of them for a connection, such as a key of sufficient size and a readable chain. */
function requireUsable({ certificate, private_key }: NewClientCertificate): void {
  try {
    createSecureContext({ cert: certificate, key: private_key })
  } catch {
    throw invalidField(certificateField, 'cannot be used for TLS: its chain is malformed, or its key is too weak')
  }
}
