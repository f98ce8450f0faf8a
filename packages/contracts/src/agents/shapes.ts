import { z } from 'zod'
import { boundedArray, boundedRecord, withoutRepeats } from '../core/shape/bounded.ts'
import { id } from '../core/shape/id.ts'
import { resourceName } from '../core/shape/resource-name.ts'
import { metadata, metadataPatch, text, timestamp } from '../core/shape/shape.ts'
import { Autonomy, Budget, BudgetPatch, NewBudget } from './budget-shapes.ts'
import { EvaluationGate, NewEvaluationGate } from './evaluations/gate-shapes.ts'
import { Model, ModelPatch } from './model-shapes.ts'
import { ToolReference, toolReferences } from './tool-shapes.ts'

const [maxInstructions, maxDescription, maxSources] = [20_000, 2_000, 100]
/** Members of a JSON Schema at its top level. */
const maxSchemaMembers = 100

const dataSourceIds = () => withoutRepeats(boundedArray(id('src'), maxSources), (sourceId) => sourceId)

/** A JSON Schema that the `input` of a run must match. */
const InputSchema = boundedRecord(text(200), z.unknown(), maxSchemaMembers).describe(
  'JSON Schema (2020-12) of an object: the `input` of a run must match it. `$ref` may name a member of `$defs`, ' +
    'without recursion; `pattern` and `patternProperties` are not supported',
)

/** The fields that blueprints and agents have in common. */
const behaviourFields = {
  instructions: z.string().describe('The system prompt: what the model is told before the input of a run'),
  model: Model,
  tools: z.array(ToolReference).describe('What the model may call: built-in tools by name, and tools of integrations'),
  input_schema: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('JSON Schema (2020-12) that the `input` of a run must match; null for a question in words'),
}

/** A versioned template of agents. */
export const Blueprint = z
  .object({
    id: z.string().describe('Identifier of a blueprint; those of built-in ones are names'),
    name: z.string().describe('Name for people; several blueprints may have the same'),
    version: z.int().describe('Number of the current version, from 1; it grows with each change'),
    description: z.string().describe('Purpose, for people; no model reads it'),
    ...behaviourFields,
    built_in: z.boolean().describe('True for a blueprint of the platform, which cannot be changed'),
    metadata: z.record(z.string(), z.string()),
    external_id: z.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp().describe('Time of the current version'),
  })
  .meta({ id: 'Blueprint' })

const newBehaviour = {
  instructions: text(maxInstructions, 0).describe(
    'The system prompt: what the model is told before the input of a run',
  ),
  model: Model.prefault({}),
  tools: toolReferences()
    .default([])
    .describe('What the model may call: built-in tools by name, and tools of integrations'),
  input_schema: InputSchema.nullable().default(null),
}

export const NewBlueprint = z
  .strictObject({
    name: resourceName(200).describe('Name for people; several blueprints may have the same'),
    description: text(maxDescription, 0).default('').describe('Purpose, for people; no model reads it'),
    ...newBehaviour,
    metadata: metadata().default({}),
    external_id: text(200).nullable().default(null),
  })
  .meta({ id: 'NewBlueprint' })

/** The content of a new version of a blueprint: what is left out stays as in the current version. */
export const NewBlueprintVersion = z
  .strictObject({
    name: resourceName(200).optional().describe('Another name for people; default: that of the version before'),
    description: text(maxDescription, 0)
      .optional()
      .describe('Another purpose, for people; default: that of the version before'),
    instructions: text(maxInstructions, 0)
      .optional()
      .describe('Another system prompt; default: that of the version before'),
    model: ModelPatch.optional(),
    tools: toolReferences().optional().describe('Replaces the list of tools; default: that of the version before'),
    input_schema: InputSchema.nullable().optional(),
  })
  .meta({ id: 'NewBlueprintVersion' })

/** The difference of one field between a version and the one before it. */
const VersionChange = z
  .object({
    field: z.string().describe('Name of the field; settings of the model are `model.temperature` and so on'),
    from: z.unknown().describe('null for a setting that was absent'),
    to: z.unknown().describe('Value in this version; null for a setting that was removed'),
  })
  .meta({ id: 'VersionChange' })
export type VersionChange = z.output<typeof VersionChange>

const versionFields = {
  version: z.int().describe('Number of the version, from 1'),
  name: z.string().describe('Name in this version'),
  description: z.string().describe('Purpose in this version, for people'),
  ...behaviourFields,
  changes: z.array(VersionChange).describe('Differences from the version before; empty for the first'),
  created_at: timestamp(),
  created_by: z.string().nullable().describe('The principal that created it'),
}

export const BlueprintVersion = z
  .object({
    id: z.string().describe('Identifier of the blueprint; those of built-in ones are names'),
    ...versionFields,
  })
  .meta({ id: 'BlueprintVersion' })

/** `draft` and `active` agents can be run; `archived` ones refuse runs. */
export const agentStates = ['draft', 'active', 'archived'] as const
export type AgentState = (typeof agentStates)[number]

export const Agent = z
  .object({
    agent_id: id('agt'),
    name: z.string().describe('Name for people; several agents may have the same'),
    description: z.string().describe('Purpose, for people; no model reads it'),
    blueprint_id: z
      .string()
      .nullable()
      .describe('The blueprint that the agent was made from; null if it was made without one'),
    blueprint_version: z
      .int()
      .nullable()
      .describe('Version of the blueprint whose content the agent has; null without a blueprint'),
    ...behaviourFields,
    data_source_ids: z
      .array(z.string())
      .describe('The data sources that its tools read; empty for all that the caller of a run may read'),
    status: z
      .enum(agentStates)
      .describe('`draft` or `active` by your choice: both can be run; an `archived` agent cannot'),
    budget: Budget,
    gate: EvaluationGate.nullable().describe('Condition for another version to become active'),
    autonomy: Autonomy,
    version: z.int().describe('The active version'),
    metadata: z.record(z.string(), z.string()),
    external_id: z.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Agent' })

const agentOverrides = {
  description: text(maxDescription, 0).optional().describe('Purpose, for people; no model reads it'),
  instructions: text(maxInstructions, 0)
    .optional()
    .describe('The system prompt: what the model is told before the input of a run'),
  model: ModelPatch.optional(),
  tools: toolReferences()
    .optional()
    .describe('Replaces what the model may call: built-in tools by name, and tools of integrations'),
  input_schema: InputSchema.nullable().optional(),
  data_source_ids: dataSourceIds()
    .optional()
    .describe('The data sources that its tools read; empty for all that the caller of a run may read'),
}

/** A new agent. What is left out is taken from the blueprint, or else a default; `model` is merged with it. */
export const NewAgent = z
  .strictObject({
    name: resourceName(200).describe('Name for people; several agents may have the same'),
    blueprint_id: text(100).optional().describe('Identifier of a blueprint, or the name of a built-in one'),
    blueprint_version: z.int().min(1).optional().describe('Default: the current version'),
    ...agentOverrides,
    status: z
      .enum(['draft', 'active'])
      .default('active')
      .describe('A label of your own for agents that are not ready yet: a `draft` can be run too'),
    budget: NewBudget.prefault({}).describe('The most that all runs of the agent may use'),
    autonomy: Autonomy.default('guarded'),
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
    name: resourceName(200).optional().describe('Another name for people'),
    ...agentOverrides,
    blueprint_version: z
      .int()
      .min(1)
      .optional()
      .describe('Takes over this version of the blueprint; other fields of the request override it'),
    status: z.enum(agentStates).optional().describe('`archived` keeps the agent, but it can no longer be run'),
    budget: BudgetPatch.optional().describe('Members that are named change; it belongs to no version'),
    gate: NewEvaluationGate.nullable()
      .optional()
      .describe('Requires `agents:gate`; null removes it. It belongs to no version'),
    autonomy: Autonomy.optional(),
    metadata: metadataPatch(),
    external_id: text(200).nullable().optional(),
  })
  .meta({ id: 'AgentPatch' })

/** The content of a new version of an agent: what is left out stays as in the active version. */
export const NewAgentVersion = z
  .strictObject({
    name: resourceName(200).optional().describe('Another name; default: that of the active version'),
    ...agentOverrides,
    blueprint_version: z.int().min(1).optional().describe('Takes over this version of the blueprint'),
  })
  .meta({ id: 'NewAgentVersion' })

export const AgentVersion = z
  .object({
    agent_id: id('agt'),
    ...versionFields,
    active: z.boolean().describe('Runs that are started now use it'),
    blueprint_id: z
      .string()
      .nullable()
      .describe('The blueprint that this version takes content from; null without one'),
    blueprint_version: z
      .int()
      .nullable()
      .describe('Version of the blueprint that this version takes content from; null without one'),
    data_source_ids: z
      .array(z.string())
      .describe(
        'The data sources that the tools of this version read; empty for all that the caller of a run may read',
      ),
  })
  .meta({ id: 'AgentVersion' })

/** An entry of the catalogue of tools. */
export const AgentTool = z
  .object({
    name: z.string().describe('Name to put into the `tools` of an agent'),
    description: z.string().describe('Tells the model what the tool does and when to use it'),
    input_schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the arguments that the model passes'),
    required_scopes: z.array(z.string()).describe('Scopes that the caller of a run needs'),
    requires_approval: z
      .boolean()
      .describe('True if a person must approve each call under the autonomy `guarded`, which is the default'),
  })
  .meta({ id: 'AgentTool' })

export const agentPath = z.object({ agent_id: id('agt') })
/** Names of built-in blueprints hold no digits, so that no identifier of another kind is taken for one. */
const builtInBlueprintName = z.string().regex(/^[a-z][a-z_]{0,99}$/, 'must be the name of a built-in blueprint')
export const blueprintPath = z.object({
  id: z.union([id('bp'), builtInBlueprintName]).describe('Identifier of a blueprint, or the name of a built-in one'),
})
