import { type EndpointDefinition, problem, publicEndpoints, respondsWithJson } from '@wp/contracts'

/** The console has endpoints of its own for them: it stores the session that they end, or whose tokens they return. */
const ownEndpoints: ReadonlySet<string> = new Set([
  'auth.logout',
  'auth.startReauthentication',
  'auth.verifyReauthentication',
])

/**
 * Returns true if the console proxies an endpoint: those of the API that accept a user's token, except the ones that
 * respond with tokens or pages; and reads that need no credential.
 */
export function isProxied(definition: EndpointDefinition): boolean {
  const { id, path, method, credentials, response = 'json' } = definition
  if (!path.startsWith('/v1/') || ownEndpoints.has(id)) return false
  if (credentials === 'none') return method === 'GET' && response === 'json'
  if (credentials !== undefined && !credentials.includes('bearer')) return false
  return respondsWithJson(definition) || response === 'events' || response === 'file'
}

interface Candidate {
  definition: EndpointDefinition
  segments: readonly string[]
}

/** Finds the endpoint of a request among those that the console proxies. */
export interface EndpointMatcher {
  /**
   * @throws Problem 404 if the console proxies no endpoint with this path, 405 with `Allow` if only the method differs
   */
  find(method: string, path: string): EndpointDefinition
}

/** Builds the matcher from the contracts. Among the paths that match, the one with the earliest literals is meant. */
export function createEndpointMatcher(): EndpointMatcher {
  const candidates: Candidate[] = publicEndpoints.map(({ definition }) => ({
    definition,
    segments: definition.path.split('/'),
  }))
  const byLength = Map.groupBy(candidates, ({ segments }) => segments.length)
  return {
    find(method, path) {
      const segments = path.split('/')
      const matching = (byLength.get(segments.length) ?? []).filter((candidate) => matches(candidate, segments))
      const best = matching.toSorted(literalsFirst)[0]?.definition.path
      const ofPath = matching.map(({ definition }) => definition).filter((definition) => definition.path === best)
      const proxied = ofPath.filter(isProxied)
      if (proxied.length === 0) throw problem('not_found', { detail: 'The console proxies no endpoint with this path' })
      const found = proxied.find((definition) => definition.method === (method === 'HEAD' ? 'GET' : method))
      if (found !== undefined) return found
      throw problem('method_not_allowed', { headers: { allow: proxied.map((each) => each.method).join(', ') } })
    },
  }
}

const isParameter = (segment: string) => segment.startsWith('{')

const matches = ({ segments }: Candidate, sent: readonly string[]): boolean =>
  segments.every((segment, index) => {
    const value = sent[index] ?? ''
    return isParameter(segment) ? isParameterValue(value) : segment === value
  })

const literalsFirst = (a: Candidate, b: Candidate): number => {
  const differing = a.segments.findIndex(
    (segment, index) => isParameter(segment) !== isParameter(b.segments[index] ?? ''),
  )
  if (differing === -1) return 0
  return isParameter(a.segments[differing] ?? '') ? 1 : -1
}

/**
 * Accepts a value in its normal form (RFC 3986 section 6.2.2.2) that no parser reads as a separator or a parent
 * directory.
 */
function isParameterValue(value: string): boolean {
  if (!/^(?:[A-Za-z0-9._~:@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$/.test(value)) return false
  if (value === '.' || value === '..') return false
  const encoded = [...value.matchAll(/%([0-9A-Fa-f]{2})/g)].map(([, hex = '']) => Number.parseInt(hex, 16))
  return encoded.every((byte) => byte > 0x1f && !/[A-Za-z0-9._~/\\-]/.test(String.fromCharCode(byte)))
}
