import { type Scope, scopes } from '../core/endpoint/scope.ts'
import { publicEndpoints } from '../surfaces.ts'

/**
 * Scopes that no client gets by the consent of a user: what they create (keys, members, service principals) would
 * outlive the session of the client.
 */
const withheldScopes: readonly Scope[] = ['auth:keys', 'auth:provision', 'auth:admin']

/** The scopes that a user can grant to a client (authorization code grant). */
export const clientScopes: readonly Scope[] = scopes.filter((scope) => !withheldScopes.includes(scope))

const toolScopes: ReadonlySet<string | undefined> = new Set(
  publicEndpoints.filter(({ definition }) => definition.tool !== undefined).map(({ definition }) => definition.scope),
)

/** The scopes of the MCP endpoint and of the tools it offers. */
export const mcpScopes: readonly Scope[] = clientScopes.filter((scope) => scope === 'mcp:use' || toolScopes.has(scope))
