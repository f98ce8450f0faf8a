import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { type EndpointDefinition, type PublicEndpoint, publicEndpoints, type ToolDefinition } from '@wp/contracts'
import { type JsonSchema, jsonSchemaOf, type ObjectSchema, outputSchemaOf } from './output-schema.ts'

/** An endpoint that is offered as a tool. */
export interface PlatformTool {
  definition: PublicEndpoint
  tool: ToolDefinition
  /** The tool as `tools/list` describes it. */
  readonly listed: ListedTool
}

/** The tools by name, in alphabetical order. */
export type ToolCatalog = ReadonlyMap<string, PlatformTool>

/** Creates the catalogue of the tools that the contracts declare. */
export function createToolCatalog(
  definitions: readonly PublicEndpoint[] = publicEndpoints.map(({ definition }) => definition),
): ToolCatalog {
  const tools = definitions.flatMap((definition) => {
    const { tool } = definition
    return tool === undefined ? [] : [createTool(definition, tool)]
  })
  return new Map(tools.sort((a, b) => a.tool.name.localeCompare(b.tool.name, 'en')).map((one) => [one.tool.name, one]))
}

/** The description is made when it is first asked for: those of all tools take as long as the rest of the start. */
function createTool(definition: PublicEndpoint, tool: ToolDefinition): PlatformTool {
  let listed: ListedTool | undefined
  return {
    definition,
    tool,
    get listed() {
      listed ??= describe(definition, tool)
      return listed
    },
  }
}

function describe(definition: EndpointDefinition, tool: ToolDefinition): ListedTool {
  const { readOnly = false, destructive = false, idempotent = readOnly, openWorld = false } = tool.hints ?? {}
  return {
    name: tool.name,
    title: definition.summary,
    description: descriptionOf(definition, tool),
    // JSON Schemas made by zod hold JSON only
    inputSchema: inputSchemaOf(definition) as ListedTool['inputSchema'],
    outputSchema: outputSchemaOf(definition) as NonNullable<ListedTool['outputSchema']>,
    annotations: {
      title: definition.summary,
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    },
  }
}

function descriptionOf({ summary, description, scope }: EndpointDefinition, tool: ToolDefinition): string {
  const parts = [
    tool.description ?? [summary, ...(description === undefined ? [] : [description])].join('.\n\n'),
    ...(tool.polledWith === undefined ? [] : [`Returns an \`id\` at once. ${pollingAdvice(tool.polledWith)}`]),
    ...(scope === undefined ? [] : [`Requires the scope \`${scope}\`.`]),
  ]
  return parts.join('\n\n')
}

/** Returns the advice to read a started job with another tool. */
export const pollingAdvice = (name: string): string =>
  `Call \`${name}\` with that \`id\` until \`status\` is \`finished\`, \`failed\` or \`cancelled\`.`

/**
 * Returns the JSON Schema of the arguments of a tool: path parameters, query parameters and fields of the body in one
 * object, without those of a fixed value.
 * @throws Error if two of them have the same name, or if the body is not an object
 */
export function inputSchemaOf({ id, params, query, body, tool }: EndpointDefinition): ObjectSchema {
  const properties = new Map<string, JsonSchema>()
  const required: string[] = []
  for (const shape of [params, query, body]) {
    if (shape === undefined) continue
    const part = jsonSchemaOf(shape, 'input')
    if (part.type !== 'object') throw new Error(`the body of ${id} is not an object`)
    const { properties: fields, required: names = [] } = part as Partial<ObjectSchema> // zod writes these keywords for objects
    for (const [name, schema] of Object.entries(fields ?? {})) {
      if (properties.has(name)) throw new Error(`${id} has two inputs with the name ${name}`)
      properties.set(name, schema)
    }
    required.push(...names)
  }
  const isOffered = (name: string) => tool?.fixed === undefined || !Object.hasOwn(tool.fixed, name)
  return {
    type: 'object',
    properties: Object.fromEntries([...properties].filter(([name]) => isOffered(name))),
    required: required.filter(isOffered),
    additionalProperties: false,
  }
}
