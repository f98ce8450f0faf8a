import type { AgentTool } from '../../tools/tool.ts'
import type { ClientTool } from '../run-input.ts'
import type { RunSession } from './run-session.ts'

/** Adds the tools that the client calls itself. They replace tools of the agent with the same name. */
export function withClientTools(tools: readonly AgentTool[], clientTools: readonly ClientTool[] = []): AgentTool[] {
  const names = clientTools.map(({ name }) => name)
  return [...tools.filter(({ name }) => !names.includes(name)), ...clientTools.map(asTool)]
}

const asTool = (tool: ClientTool): AgentTool => ({
  ...tool,
  ...{ requiredScopes: [], requiresApproval: false, isRepeatable: true, timeoutMs: 0 },
  run: () => Promise.reject(new Error(`the tool ${tool.name} is called by the client`)),
})

/** Returns true if the last step calls a tool of the client: the run ends, and the client goes on. */
export function callsClientTool({ state, input }: Pick<RunSession, 'state' | 'input'>): boolean {
  const names = (input.clientTools ?? []).map(({ name }) => name)
  return state.calls.some(({ tool, invalid }) => invalid === undefined && names.includes(tool))
}
