import { z } from 'zod'
import { text, timestamp } from '../core/shape/shape.ts'
import { webAddress } from '../core/shape/web-address.ts'

/** Printable ASCII, which every header and form can carry. */
const printable = (max: number) =>
  z.string().regex(new RegExp(`^[\\x20-\\x7e]{1,${max}}$`), `must be 1 to ${max} printable ASCII characters`)

/** Limits of a certificate with its chain, and of a private key, in PEM. */
const [maxCertificateLength, maxPrivateKeyLength] = [16_384, 8_192]

const username = z
  .string()
  .regex(/^[\x20-\x39\x3b-\x7e]{1,256}$/, 'must be 1 to 256 printable ASCII characters without a colon')

const tokenRequestFields = {
  token_url: webAddress(2_048).describe('Token endpoint that issues the access tokens'),
  client_id: printable(256).describe('Client id at the token endpoint'),
  scope: printable(1_024).nullable().describe('Scopes to request, separated by spaces; null: none are named'),
  audience: printable(1_024).nullable().describe('Audience to request; null: none is named'),
  client_authentication: z
    .enum(['basic', 'body'])
    .describe('How client id and secret are sent to the token endpoint: in an `Authorization` header or in the body'),
}

const clientAuthenticationMeta = {
  description: 'How client id and secret are sent to the token endpoint: in an `Authorization` header or in the body',
}

/** The way the platform authenticates at the endpoint of a subscription, as a request sets it. */
export const NewWebhookAuthentication = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('basic').describe('HTTP Basic authentication'),
      username: username.describe('Name of the account at the endpoint, without a colon'),
      password: printable(1_024).describe('Password; never shown again'),
    }),
    z.strictObject({
      type: z
        .literal('oauth2_client_credentials')
        .describe('A bearer token from a token endpoint (RFC 6749 section 4.4)'),
      ...tokenRequestFields,
      client_secret: printable(1_024).describe('Client secret at the token endpoint; never shown again'),
      scope: tokenRequestFields.scope.default(null),
      audience: tokenRequestFields.audience.default(null),
      client_authentication: tokenRequestFields.client_authentication.default('basic').meta(clientAuthenticationMeta),
    }),
    z.strictObject({
      type: z.literal('mtls').describe('A client certificate in the TLS handshake'),
      certificate: text(maxCertificateLength).describe('PEM, the certificate first, then its chain'),
      private_key: text(maxPrivateKeyLength).describe('PEM, not encrypted'),
    }),
  ])
  .meta({ id: 'NewWebhookAuthentication' })
export type NewWebhookAuthentication = z.output<typeof NewWebhookAuthentication>

/** The same without its secrets. */
export const WebhookAuthentication = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('basic').describe('HTTP Basic authentication'),
      username: z.string().describe('Name of the account at the endpoint'),
    }),
    z.object({
      type: z
        .literal('oauth2_client_credentials')
        .describe('A bearer token from a token endpoint (RFC 6749 section 4.4)'),
      ...tokenRequestFields,
    }),
    z.object({
      type: z.literal('mtls').describe('A client certificate in the TLS handshake'),
      subject: z.string().describe('Of the certificate'),
      fingerprint_sha256: z
        .string()
        .describe('SHA-256 of the certificate: bytes in hexadecimal digits, separated by colons'),
      expires_at: timestamp().describe('End of the validity of the certificate'),
    }),
  ])
  .meta({ id: 'WebhookAuthentication' })
export type WebhookAuthentication = z.output<typeof WebhookAuthentication>
