import { z } from 'zod'
import { boundedArray, boundedRecord } from '../core/bounded.ts'
import { id } from '../core/id.ts'
import { metadata, metadataPatch, text, timestamp } from '../core/shape.ts'

const [maxInstructions, maxDescription, maxTools, maxSources, maxModelId] = [20_000, 2_000, 32, 100, 200]
/** Members of a JSON Schema at its top level. */
const maxSchemaMembers = 100

const integrationProvider = id('int').meta({ description: 'An integration of the provider `openai_compatible`' })

/**
 * The provider of a model: `local` answers from the data of the workspace without a language model, `default` is the
 * model of the operator, and an integration is a model of the workspace.
 */
export const ModelProvider = z.union([z.enum(['local', 'default']), integrationProvider]).meta({
  description:
    '`local`: extracts answers from the data of the workspace, without a language model; `default`: the model of the operator; `int_…`: an integration of the provider `openai_compatible`',
})

/** The model of an agent, with its settings. */
export const Model = z
  .strictObject({
    provider: ModelProvider.default('local'),
    id: text(maxModelId).optional().meta({
      description: 'Name of the model at its provider; default: the first one that the provider lists',
    }),
    temperature: z.number().min(0).max(2).optional(),
    max_output_tokens: z.int().min(1).max(100_000).optional(),
  })
  .meta({ id: 'Model' })
export type Model = z.output<typeof Model>

/** A change of a model, merged (RFC 7396). Another provider has other models: without an `id` it gets its default one. */
export const ModelPatch = z
  .strictObject({
    provider: ModelProvider.optional(),
    id: text(maxModelId).nullable().optional().meta({ description: 'null, like another `provider`, removes it' }),
    temperature: z.number().min(0).max(2).nullable().optional(),
    max_output_tokens: z.int().min(1).max(100_000).nullable().optional(),
  })
  .meta({ id: 'ModelPatch', description: 'Merged (RFC 7396): what is left out stays, null removes a setting' })
export type ModelPatch = z.output<typeof ModelPatch>

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
] as const
export type BuiltInTool = (typeof builtInTools)[number]

/** A tool that uses an integration. */
const IntegrationTool = z
  .strictObject({
    type: z.enum(['http', 'mcp_server']).meta({
      description: '`http`: requests below the base address of the integration; `mcp_server`: the tools of a server',
    }),
    integration_id: id('int'),
    methods: boundedArray(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']), 5, { min: 1 })
      .optional()
      .meta({ description: 'Allowed methods of an `http` tool; default `GET`. The others require an approval' }),
    tools: boundedArray(text(128), 100, { min: 1 })
      .optional()
      .meta({ description: 'Names of the offered tools of an MCP server; default: all' }),
    description: text(500).optional().meta({ description: 'Tells the model when to use it' }),
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

/** Rejects each element of an array that identifies the same thing as an earlier one. */
const withoutRepeats = <Element extends z.ZodType>(
  array: z.ZodArray<Element>,
  keyOf: (element: z.output<Element>) => string,
) =>
  array.superRefine((elements, context) => {
    const seen = new Set<string>()
    elements.forEach((element, position) => {
      const key = keyOf(element)
      if (seen.has(key)) context.addIssue({ code: 'custom', path: [position], message: 'repeats an earlier element' })
      seen.add(key)
    })
  })

const tools = () =>
  withoutRepeats(boundedArray(ToolReference, maxTools), (tool) =>
    typeof tool === 'string' ? tool : `${tool.type} ${tool.integration_id}`,
  )

const dataSourceIds = () => withoutRepeats(boundedArray(id('src'), maxSources), (sourceId) => sourceId)

/** A JSON Schema that the `input` of a run must match. */
const InputSchema = boundedRecord(text(200), z.unknown(), maxSchemaMembers).meta({
  description:
    'JSON Schema (2020-12) of an object: the `input` of a run must match it. `$ref` may name a member of `$defs`, ' +
    'without recursion; `pattern` and `patternProperties` are not supported',
})

/** What blueprints and agents have in common. */
const behaviourFields = {
  instructions: z.string(),
  model: Model,
  tools: z.array(ToolReference),
  input_schema: z.record(z.string(), z.unknown()).nullable(),
}

/** A versioned template of agents. */
export const Blueprint = z
  .object({
    id: z.string().meta({ description: 'Identifier of a blueprint; those of built-in ones are names' }),
    name: z.string(),
    version: z.int(),
    description: z.string(),
    ...behaviourFields,
    built_in: z.boolean(),
    metadata: z.record(z.string(), z.string()),
    external_id: z.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp().meta({ description: 'Time of the current version' }),
  })
  .meta({ id: 'Blueprint' })

const newBehaviour = {
  instructions: text(maxInstructions, 0),
  model: Model.prefault({}),
  tools: tools().default([]),
  input_schema: InputSchema.nullable().default(null),
}

export const NewBlueprint = z
  .strictObject({
    name: text(200),
    description: text(maxDescription, 0).default(''),
    ...newBehaviour,
    metadata: metadata().default({}),
    external_id: text(200).nullable().default(null),
  })
  .meta({ id: 'NewBlueprint' })

/** The content of a new version of a blueprint: what is left out stays as in the current version. */
export const NewBlueprintVersion = z
  .strictObject({
    name: text(200).optional(),
    description: text(maxDescription, 0).optional(),
    instructions: text(maxInstructions, 0).optional(),
    model: ModelPatch.optional(),
    tools: tools().optional(),
    input_schema: InputSchema.nullable().optional(),
  })
  .meta({ id: 'NewBlueprintVersion' })

/** The difference of one field between a version and the one before it. */
const VersionChange = z
  .object({
    field: z
      .string()
      .meta({ description: 'Name of the field; settings of the model are `model.temperature` and so on' }),
    from: z.unknown().meta({ description: 'null for a setting that was absent' }),
    to: z.unknown(),
  })
  .meta({ id: 'VersionChange' })
export type VersionChange = z.output<typeof VersionChange>

const versionFields = {
  version: z.int(),
  name: z.string(),
  description: z.string(),
  ...behaviourFields,
  changes: z.array(VersionChange).meta({ description: 'Differences from the version before; empty for the first' }),
  created_at: timestamp(),
  created_by: z.string().nullable().meta({ description: 'The principal that created it' }),
}

export const BlueprintVersion = z.object({ id: z.string(), ...versionFields }).meta({ id: 'BlueprintVersion' })

/** `draft` and `active` agents can be run; `archived` ones refuse runs. */
export const agentStates = ['draft', 'active', 'archived'] as const
export type AgentState = (typeof agentStates)[number]

export const Agent = z
  .object({
    agent_id: id('agt'),
    name: z.string(),
    description: z.string(),
    blueprint_id: z.string().nullable(),
    blueprint_version: z.int().nullable(),
    ...behaviourFields,
    data_source_ids: z.array(z.string()).meta({
      description: 'The data sources that its tools read; empty for all that the caller of a run may read',
    }),
    status: z.enum(agentStates),
    version: z.int(),
    metadata: z.record(z.string(), z.string()),
    external_id: z.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Agent' })

const agentOverrides = {
  description: text(maxDescription, 0).optional(),
  instructions: text(maxInstructions, 0).optional(),
  model: ModelPatch.optional(),
  tools: tools().optional(),
  input_schema: InputSchema.nullable().optional(),
  data_source_ids: dataSourceIds().optional(),
}

/** A new agent. What is left out is taken from the blueprint, or else a default; `model` is merged with it. */
export const NewAgent = z
  .strictObject({
    name: text(200),
    blueprint_id: text(100)
      .optional()
      .meta({ description: 'Identifier of a blueprint, or the name of a built-in one' }),
    blueprint_version: z.int().min(1).optional().meta({ description: 'Default: the current version' }),
    ...agentOverrides,
    status: z.enum(['draft', 'active']).default('active'),
    metadata: metadata().default({}),
    external_id: text(200).nullable().default(null),
  })
  .refine((agent) => agent.blueprint_version === undefined || agent.blueprint_id !== undefined, {
    path: ['blueprint_version'],
    message: 'is allowed with blueprint_id only',
  })
  .meta({ id: 'NewAgent' })

/** A change of an agent. A change of its behaviour creates a new version. */
export const AgentPatch = z
  .strictObject({
    name: text(200).optional(),
    ...agentOverrides,
    blueprint_version: z.int().min(1).optional().meta({
      description: 'Takes over this version of the blueprint; other fields of the request override it',
    }),
    status: z.enum(agentStates).optional(),
    metadata: metadataPatch(),
    external_id: text(200).nullable().optional(),
  })
  .meta({ id: 'AgentPatch' })

export const AgentVersion = z
  .object({
    agent_id: id('agt'),
    ...versionFields,
    blueprint_id: z.string().nullable(),
    blueprint_version: z.int().nullable(),
    data_source_ids: z.array(z.string()),
  })
  .meta({ id: 'AgentVersion' })

/** An entry of the catalogue of tools. */
export const AgentTool = z
  .object({
    name: z.string(),
    description: z.string(),
    input_schema: z.record(z.string(), z.unknown()),
    required_scopes: z.array(z.string()).meta({ description: 'Scopes that the caller of a run needs' }),
    requires_approval: z.boolean(),
  })
  .meta({ id: 'AgentTool' })

export const agentPath = z.object({ agent_id: id('agt') })
export const blueprintPath = z.object({ id: text(100) })
