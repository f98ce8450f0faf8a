import { z } from 'zod'

/** The folder of the MCP surface, a resource of its own for access tokens (RFC 8707). */
const mcpPath = '/api/v1/mcp'

/** Returns the identifier of the MCP resource. @param base the public base address */
export const mcpResource = (base: string): string => `${base}${mcpPath}/mcp`

/**
 * Returns the identifiers of the protected resources, which access tokens name as their audience: the API, whose
 * identifier is the public base address, and the MCP endpoint.
 */
export const protectedResources = (base: string): string[] => [base, mcpResource(base)]

/** Returns the identifier of the resource that a path belongs to. */
export const resourceOfPath = (base: string, path: string): string =>
  path === mcpPath || path.startsWith(`${mcpPath}/`) ? mcpResource(base) : base

const maxResources = 10
const resourceIdentifier = z.string().max(2000)

/** The `resource` parameter (RFC 8707 section 2), which may occur several times. The output is a list. */
export const resourceParameter = () =>
  z
    .union([resourceIdentifier, z.array(resourceIdentifier).min(1).max(maxResources)])
    .transform((given) => [given].flat())
    .optional()
