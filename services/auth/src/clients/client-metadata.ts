import { toSingleLine } from '@wp/mail'
import { parseJson } from '@wp/runtime'
import { z } from 'zod'
import { isAllowedRedirectUri } from './redirect-uri.ts'

/** A client that users can authorize. It is public: it has no secret. */
export interface Client {
  id: string
  /** Chosen by the client, and not verified. */
  name: string
  redirectUris: readonly string[]
}

/** Thrown if a client cannot be used. The message is for the user. */
export class InvalidClientError extends Error {
  override readonly name = 'InvalidClientError'
}

const uri = z.string().max(2000)
const words = z.array(z.string().max(200)).max(50)

/** The metadata that are used (RFC 7591 section 2); unknown fields are ignored. */
export const ClientMetadata = z.object({
  client_name: z.string().max(200).optional(),
  redirect_uris: z.array(uri).max(50),
  grant_types: words.optional(),
  response_types: words.optional(),
  token_endpoint_auth_method: z.string().max(100).optional(),
})
export type ClientMetadata = z.output<typeof ClientMetadata>

const MetadataDocument = ClientMetadata.extend({ client_id: z.string().max(500) })

/**
 * Reads a client id metadata document.
 * @param clientId the URL of the document
 * @throws InvalidClientError
 */
export function parseMetadataDocument(clientId: string, text: string): Client {
  const document = MetadataDocument.safeParse(parseJson(text))
  if (!document.success) throw new InvalidClientError('Its metadata document is not valid.')
  if (document.data.client_id !== clientId)
    throw new InvalidClientError('Its metadata document names another client_id.')
  return toClient(clientId, document.data)
}

/**
 * Returns the client that metadata describe. @throws InvalidClientError if it could not use the authorization endpoint
 */
export function toClient(id: string, metadata: ClientMetadata): Client {
  const { redirect_uris: redirectUris, client_name: name, token_endpoint_auth_method: method = 'none' } = metadata
  if (method !== 'none')
    throw new InvalidClientError('It must be a public client: token_endpoint_auth_method must be "none".')
  if (metadata.grant_types !== undefined && !metadata.grant_types.includes('authorization_code'))
    throw new InvalidClientError('Its grant_types do not contain "authorization_code".')
  if (metadata.response_types !== undefined && !metadata.response_types.includes('code'))
    throw new InvalidClientError('Its response_types do not contain "code".')
  if (redirectUris.length === 0) throw new InvalidClientError('It has no redirect_uris.')
  if (!redirectUris.every(isAllowedRedirectUri))
    throw new InvalidClientError(
      'One of its redirect_uris is not https, http on loopback, a reversed domain name such as com.example.app, or the scheme of a known editor.',
    )
  return { id, name: toSingleLine(name ?? '').slice(0, 100), redirectUris }
}
