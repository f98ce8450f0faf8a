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
  token_url: webAddress(2_048),
  client_id: printable(256),
  scope: printable(1_024).nullable(),
  audience: printable(1_024).nullable(),
  client_authentication: z.enum(['basic', 'body']),
}

const clientAuthenticationMeta = {
  description: 'How client id and secret are sent to the token endpoint: in an `Authorization` header or in the body',
}

/** The way the platform authenticates at the endpoint of a subscription, as a request sets it. */
export const NewWebhookAuthentication = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('basic'), username, password: printable(1_024) }),
    z.strictObject({
      type: z.literal('oauth2_client_credentials'),
      ...tokenRequestFields,
      client_secret: printable(1_024),
      scope: tokenRequestFields.scope.default(null),
      audience: tokenRequestFields.audience.default(null),
      client_authentication: tokenRequestFields.client_authentication.default('basic').meta(clientAuthenticationMeta),
    }),
    z.strictObject({
      type: z.literal('mtls'),
      certificate: text(maxCertificateLength).meta({ description: 'PEM, the certificate first, then its chain' }),
      private_key: text(maxPrivateKeyLength).meta({ description: 'PEM, not encrypted' }),
    }),
  ])
  .meta({ id: 'NewWebhookAuthentication' })
export type NewWebhookAuthentication = z.output<typeof NewWebhookAuthentication>

/** The same without its secrets. */
export const WebhookAuthentication = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('basic'), username: z.string() }),
    z.object({ type: z.literal('oauth2_client_credentials'), ...tokenRequestFields }),
    z.object({
      type: z.literal('mtls'),
      subject: z.string().meta({ description: 'Of the certificate' }),
      fingerprint_sha256: z.string(),
      expires_at: timestamp(),
    }),
  ])
  .meta({ id: 'WebhookAuthentication' })
export type WebhookAuthentication = z.output<typeof WebhookAuthentication>
