import { auth, mcpResource, Problem, resourceOfPath } from '@wp/contracts'

/**
 * Adds a challenge to an error of the MCP endpoint: where its metadata are (RFC 9728 section 5.1), from which a client
 * finds the authorization server, and which scope is missing (RFC 6750 section 3.1). Returns other errors unchanged.
 * @param base the public base address
 */
export function withResourceChallenge(error: unknown, base: string, path: string): unknown {
  if (!(error instanceof Problem) || resourceOfPath(base, path) !== mcpResource(base)) return error
  const parameters = parametersOf(error)
  if (parameters === undefined) return error
  const challenge = Object.entries({ ...parameters, resource_metadata: base + auth.mcpResourceMetadata.path })
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')
  const { code, detail, errors, extra, headers, cause } = error
  return new Problem(code, {
    detail,
    errors,
    extra,
    cause,
    headers: { ...headers, 'www-authenticate': `Bearer ${challenge}` },
  })
}

/** Returns the parameters of the challenge; undefined if the error is not about the credential. */
function parametersOf({ status, code, detail, extra }: Problem): Record<string, string> | undefined {
  if (code === 'missing_credential') return {}
  if (status === 401) return { error: 'invalid_token', error_description: quotable(detail) }
  if (code !== 'missing_scope' || typeof extra.required_scope !== 'string') return undefined
  return { error: 'insufficient_scope', error_description: quotable(detail), scope: extra.required_scope }
}

/** Replaces characters that RFC 6750 section 3 does not allow in a description. */
const quotable = (text: string): string => text.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' ')
