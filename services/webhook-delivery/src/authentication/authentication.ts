import { invalidField, type NewWebhookAuthentication, type WebhookAuthentication } from '@wp/contracts'
import { type Outbound, OutboundError } from '@wp/outbound'
import type { Sealer } from '@wp/service'
import { checkClientCertificate } from './client-certificate.ts'

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
