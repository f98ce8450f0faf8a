import type { IncomingHttpHeaders } from 'node:http'
import { type EndpointDefinition, problem, surfaceOf } from '@wp/contracts'

/**
 * Creates the check of the `Origin` header that MCP asks of servers, against DNS rebinding: a page of another origin
 * must not reach the endpoint, whatever the page sends. Clients that are no pages send no `Origin`.
 *
 * @param listed origins whose pages may call the API
 * @param base public base address, whose own pages may call it too
 */
export function createOriginCheck(
  listed: ReadonlySet<string>,
  base: string,
): (definition: EndpointDefinition, headers: IncomingHttpHeaders) => void {
  const ownOrigin = new URL(base).origin
  return (definition, { origin }) => {
    if (surfaceOf(definition) !== 'mcp' || definition.credentials === 'none' || origin === undefined) return
    if (origin !== ownOrigin && !listed.has(origin))
      throw problem('origin_forbidden', { detail: 'Pages of this origin may not use MCP' })
  }
}
