import { z } from 'zod'
import { boundedArray, withoutRepeats } from '../core/shape/bounded.ts'
import { id } from '../core/shape/id.ts'
import { text } from '../core/shape/shape.ts'

const maxTools = 32

/** The tools that every workspace has. */
export const builtInTools = [
  'search_data',
  'list_sources',
  'list_records',
  'read_record',
  'aggregate_records',
  'read_variable',
  'start_forecast',
  'read_forecast',
  'list_workplace',
  'create_scenario',
  'read_scenario',
] as const
export type BuiltInTool = (typeof builtInTools)[number]

/** A tool that uses an integration. */
const IntegrationTool = z
  .strictObject({
    type: z
      .enum(['http', 'mcp_server'])
      .describe('`http`: requests below the base address of the integration; `mcp_server`: the tools of a server'),
    integration_id: id('int'),
    methods: boundedArray(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']), 5, { min: 1 })
      .optional()
      .describe('Allowed methods of an `http` tool; default `GET`. The others require an approval'),
    tools: boundedArray(text(128), 100, { min: 1 })
      .optional()
      .describe('Names of the offered tools of an MCP server; default: all'),
    description: text(500).optional().describe('Tells the model when to use it'),
  })
  .refine(({ type, methods }) => type === 'http' || methods === undefined, {
    path: ['methods'],
    message: 'is allowed with the type http only',
  })
  .refine(({ type, tools }) => type === 'mcp_server' || tools === undefined, {
    path: ['tools'],
    message: 'is allowed with the type mcp_server only',
  })
  .meta({ id: 'IntegrationTool' })
export type IntegrationTool = z.output<typeof IntegrationTool>

/** A tool of an agent: the name of a built-in tool, or a tool that uses an integration. */
export const ToolReference = z.union([z.enum(builtInTools), IntegrationTool]).meta({ id: 'ToolReference' })
export type ToolReference = z.output<typeof ToolReference>

/** The tools of an agent. */
export const toolReferences = () =>
  withoutRepeats(boundedArray(ToolReference, maxTools), (tool) =>
    typeof tool === 'string' ? tool : `${tool.type} ${tool.integration_id}`,
  )
