import { z } from 'zod'
import type { DerivedKeys } from '../secrets/derived-keys.ts'
import { isEqualConstantTime } from '../secrets/secret.ts'
import { type Client, type ClientMetadata, InvalidClientError, toClient } from './client-metadata.ts'
import { isLoopbackHost } from './redirect-uri.ts'

/** Longest client identifier. */
const maxLength = 500

const purpose = 'registered-client'
const prefix = 'dcr.'

/** Longest id of a registered client. */
const maxIdLength = 1_000

/** Returns true if the text has the format of the id of a registered client. */
export const isRegisteredClientId = (text: string): boolean => text.startsWith(prefix)

/**
 * Registers a client without storing anything: its id holds name and redirect URIs, with a keyed hash (RFC 7591
 * appendix A.5.2). So strangers can create no rows, and nothing expires.
 * @throws InvalidClientError if the metadata are not usable or too long
 */
export function createRegisteredClient(
  keys: DerivedKeys,
  { client_name, redirect_uris }: Pick<ClientMetadata, 'client_name' | 'redirect_uris'>,
): Client {
  const { name, redirectUris } = toClient('', { client_name, redirect_uris })
  const content = Buffer.from(JSON.stringify([name, ...redirectUris])).toString('base64url')
  const id = `${prefix}${content}.${keys.mac(purpose, content)}`
  if (id.length > maxIdLength) throw new InvalidClientError('Its name and redirect_uris are too long.')
  return { id, name, redirectUris }
}

const Content = z.tuple([z.string()]).rest(z.string())

/** Reads a registered client from its id; undefined if this platform did not issue the id. */
export function openRegisteredClient(keys: DerivedKeys, id: string): Client | undefined {
  const [content = '', mac = '', ...others] = id.slice(prefix.length).split('.')
  const isIssued = keys.macsUnderAllKeys(purpose, content).some((expected) => isEqualConstantTime(expected, mac))
  if (!isRegisteredClientId(id) || !isIssued || others.length > 0) return undefined
  const [name, ...redirectUris] = Content.parse(JSON.parse(Buffer.from(content, 'base64url').toString('utf8')))
  return { id, name, redirectUris }
}

/** Returns true if the text has the form of the id of a client that users authorize, whether or not there is one. */
export const isUserClientId = (text: string): boolean => /^https?:\/\//i.test(text) || isRegisteredClientId(text)

/**
 * Parses a client identifier: the https URL of a client id metadata document
 * (draft-ietf-oauth-client-id-metadata-document section 3), with a path, without user, fragment and dot segments.
 * @param isHttpAllowed also accepts http on loopback, for clients in development
 * @returns undefined for any other text
 */
export function parseClientId(text: string, isHttpAllowed: boolean): URL | undefined {
  const url = text.length <= maxLength ? URL.parse(text) : null
  if (url === null) return undefined
  const isSecure =
    url.protocol === 'https:' || (isHttpAllowed && url.protocol === 'http:' && isLoopbackHost(url.hostname))
  const hasExtraParts = url.username !== '' || url.password !== '' || text.includes('#')
  // The identifier is compared as text, so it must be in the form into which URLs are normalized.
  return isSecure && !hasExtraParts && url.pathname !== '/' && url.href === text ? url : undefined
}
