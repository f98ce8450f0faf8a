import { isLoopbackHost } from './redirect-uri.ts'
import { isRegisteredClientId } from './registered-client.ts'

/** Longest client identifier. */
const maxLength = 500

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
