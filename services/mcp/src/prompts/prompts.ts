import {
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { agents, Problem } from '@wp/contracts'
import { callEndpoint, type Exchange } from '../call-endpoint.ts'
import type { Context } from '../context.ts'
import { isPermitted } from '../is-permitted.ts'
import { describePrompt, fillPrompt } from './blueprint-prompt.ts'

/** Lists the blueprints as prompts; none without permission to read them. */
export async function listPrompts(
  context: Context,
  exchange: Exchange,
  cursor: string | undefined,
): Promise<ListPromptsResult> {
  if (!isPermitted(agents.listBlueprints, exchange.caller)) return { prompts: [] }
  const query = cursor === undefined ? {} : { cursor }
  const page = await callEndpoint(context, exchange, agents.listBlueprints, { query })
  const prompts = page.items.map(describePrompt)
  return { prompts, ...(page.nextCursor === null ? {} : { nextCursor: page.nextCursor }) }
}

/**
 * Returns the messages of a prompt. @throws ProtocolError if there is no such prompt, or its arguments are not valid
 */
export async function getPrompt(
  context: Context,
  exchange: Exchange,
  { name, arguments: given = {} }: { name: string; arguments?: Record<string, string> | undefined },
): Promise<GetPromptResult> {
  const request = { params: { id: name } }
  const blueprint = await callEndpoint(context, exchange, agents.getBlueprint, request).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`)
  })
  return fillPrompt(blueprint, given)
}
