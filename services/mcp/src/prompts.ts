import {
  type GetPromptResult,
  type ListPromptsResult,
  type Prompt,
  type PromptArgument,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { agents, Problem, type ResponseOf } from '@wp/contracts'
import { callEndpoint, type Exchange, isPermitted } from './call-endpoint.ts'
import type { Context } from './context.ts'

/** The argument of a blueprint without an input schema. */
const question: PromptArgument = { name: 'input', description: 'The question or the task', required: true }

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

type Blueprint = ResponseOf<typeof agents.getBlueprint>

/** Returns a blueprint as a prompt. Its identifier is the name, because several blueprints can have the same name. */
const describePrompt = (blueprint: Blueprint): Prompt => ({
  name: blueprint.id,
  title: blueprint.name,
  ...(blueprint.description === '' ? {} : { description: blueprint.description }),
  arguments: argumentsOf(blueprint),
})

/** The arguments are the members of the input schema. MCP has text only, so other values are given as JSON. */
function argumentsOf({ input_schema: schema }: Blueprint): PromptArgument[] {
  const properties = schema?.properties
  if (typeof properties !== 'object' || properties === null) return [question]
  const required: unknown[] = Array.isArray(schema?.required) ? schema.required : []
  return Object.entries(properties).map(([name, property]: [string, unknown]) => {
    const description = descriptionOf(property)
    return { name, ...(description === undefined ? {} : { description }), required: required.includes(name) }
  })
}

function descriptionOf(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null || !('description' in schema)) return undefined
  return typeof schema.description === 'string' ? schema.description : undefined
}

/**
 * Returns the messages of a prompt: the instructions of the blueprint, and the arguments.
 * @throws ProtocolError if an argument is missing or unknown
 */
function fillPrompt(blueprint: Blueprint, given: Readonly<Record<string, string>>): GetPromptResult {
  const declared = argumentsOf(blueprint)
  const unknown = Object.keys(given).find((name) => !declared.some((argument) => argument.name === name))
  if (unknown !== undefined) throw invalidArgument(`${unknown} is not an argument of this prompt`)
  const missing = declared.find(({ name, required }) => required === true && given[name] === undefined)
  if (missing !== undefined) throw invalidArgument(`${missing.name} is required`)
  const values = Object.entries(given).map(([name, value]) => (name === question.name ? value : `${name}: ${value}`))
  const text = [blueprint.instructions, ...values].filter((part) => part !== '').join('\n\n')
  return {
    ...(blueprint.description === '' ? {} : { description: blueprint.description }),
    messages: [{ role: 'user', content: { type: 'text', text } }],
  }
}

const invalidArgument = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message)
