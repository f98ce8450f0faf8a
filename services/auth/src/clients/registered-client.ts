import { z } from 'zod'
import type { DerivedKeys } from '../secrets/derived-keys.ts'
import { isEqualConstantTime } from '../secrets/secret.ts'
import { type Client, type ClientMetadata, InvalidClientError, toClient } from './client-metadata.ts'

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
