import { type IntegrationTool, Problem, type ToolReference, type WorkspaceCaller } from '@wp/contracts'
import { createBuiltInTool } from './built-in-tools.ts'
import { createHttpTools } from './integrations/http-tools.ts'
import type { AccessContext } from './integrations/integration-access.ts'
import { fetchMcpTools, type McpTimeouts, mcpTimeouts } from './integrations/mcp-tools.ts'
import { withUniqueNames } from './integrations/tool-names.ts'
import { type AgentTool, ToolFailure } from './tool.ts'

interface ResolveOptions {
  signal?: AbortSignal
  /** Told about tools that cannot be offered, such as those of a server that is unavailable. */
  warn?: (warning: { code: string; message: string }) => void
  /** Of MCP servers. */
  timeouts?: McpTimeouts
}

/** MCP servers asked for their tools at once. */
const maxParallel = 4

/**
 * Returns the tools of an agent for a run. Those of MCP servers are fetched. An integration that is disconnected, or a
 * server that does not respond, offers no tools; `warn` is told why.
 */
export async function resolveTools(
  context: AccessContext,
  caller: WorkspaceCaller,
  references: readonly ToolReference[],
  { signal = new AbortController().signal, warn = () => {}, timeouts = mcpTimeouts }: ResolveOptions = {},
): Promise<AgentTool[]> {
  const resolved: AgentTool[][] = []
  const queue = references.map((reference, position) => async () => {
    resolved[position] =
      typeof reference === 'string'
        ? [createBuiltInTool(reference, context.internal)]
        : await resolveIntegrationTool(context, caller, reference, { signal, warn, timeouts })
  })
  const next = async () => {
    for (let work = queue.shift(); work !== undefined; work = queue.shift()) await work()
  }
  await Promise.all(Array.from({ length: maxParallel }, next))
  return withUniqueNames(resolved.flat())
}

/** A caller who may not read integrations gets none of their tools. */
async function resolveIntegrationTool(
  context: AccessContext,
  caller: WorkspaceCaller,
  reference: IntegrationTool,
  { signal, warn, timeouts }: Required<ResolveOptions>,
): Promise<AgentTool[]> {
  const unavailable = (reason: string): AgentTool[] => {
    warn({ code: 'tool_unavailable', message: `The tools of ${reference.integration_id} are not offered: ${reason}` })
    return []
  }
  if (!caller.scopes.includes('integrations:read'))
    return unavailable('the caller of the run does not have the scope integrations:read')
  try {
    return reference.type === 'mcp_server'
      ? await fetchMcpTools(context, caller, reference, { signal, warn, timeouts })
      : await createHttpTools(context, caller, reference)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ToolFailure) return unavailable(error.message)
    if (error instanceof Problem && error.status >= 500) return unavailable(error.detail)
    throw error
  }
}
