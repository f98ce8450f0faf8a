import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { invalidField, type NewWebhookAuthentication, type WebhookAuthentication } from '@wp/contracts'

export type NewClientCertificate = Extract<NewWebhookAuthentication, { type: 'mtls' }>
export type ClientCertificateView = Extract<WebhookAuthentication, { type: 'mtls' }>

const [certificateField, keyField] = ['/authentication/certificate', '/authentication/private_key']

/** Extended key usage of TLS clients (RFC 5280, section 4.2.1.12). */
const clientAuthenticationUsage = '1.3.6.1.5.5.7.3.2'

/**
 * Validates a client certificate and its private key, and returns what is shown of it.
 * @throws Problem `validation_failed` with a pointer to the field and the reason
 */
export function checkClientCertificate(given: NewClientCertificate, nowMs: number): ClientCertificateView {
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
