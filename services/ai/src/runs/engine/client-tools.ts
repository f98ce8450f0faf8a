import { type AgentTool, ToolFailure } from '../../tools/tool.ts'
import type { ClientTool } from '../run-input.ts'
import type { RunSession } from './run-session.ts'

/** Adds the tools that the client calls itself. They replace tools of the agent with the same name. */
export function withClientTools(tools: readonly AgentTool[], clientTools: readonly ClientTool[] = []): AgentTool[] {
  const names = clientTools.map(({ name }) => name)
  return [...tools.filter(({ name }) => !names.includes(name)), ...clientTools.map(asTool)]
}

const asTool = (tool: ClientTool): AgentTool => ({
  ...tool,
  requiredScopes: [],
  effectOf: () => 'harmless' as const,
  isRepeatable: true,
  timeoutMs: 0,
  // Called by the client; a run comes here only if its agent was told to ask since it was started.
  run: () => Promise.reject(new ToolFailure('The agent asks before every call, so the client may not call it')),
})

export const isClientTool = ({ input }: Pick<RunSession, 'input'>, name: string): boolean =>
  (input.clientTools ?? []).some((tool) => tool.name === name)

/** Returns true if the last step calls a tool of the client: the run ends, and the client goes on. */
export const callsClientTool = (session: Pick<RunSession, 'state' | 'input'>): boolean =>
  session.state.calls.some(({ tool, invalid }) => invalid === undefined && isClientTool(session, tool))
