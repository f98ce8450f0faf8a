import type { InputOf, Model, ModelPatch, agents as surface } from '@wp/contracts'
import { mergePatch } from '@wp/service'
import type { AgentContent } from '../store/agents/agent-versions.ts'
import type { VersionContent } from '../store/version-content.ts'

/** A version of a blueprint that an agent is made from. */
export interface BlueprintReference {
  id: string
  version: number
  content: VersionContent
}

/** The part of the content of a version that a request can set. Undefined fields keep their value. */
interface ContentPatch {
  name?: string | undefined
  description?: string | undefined
  instructions?: string | undefined
  model?: ModelPatch | undefined
  tools?: VersionContent['tools'] | undefined
  input_schema?: VersionContent['inputSchema'] | undefined
}

const emptyContent: Omit<VersionContent, 'name'> = {
  description: '',
  instructions: '',
  model: { provider: 'local' },
  tools: [],
  inputSchema: null,
}

/** Returns the content of the first version of an agent: that of the blueprint, or defaults, with the overrides. */
export function newAgentContent(
  body: InputOf<typeof surface.createAgent>['body'],
  blueprint: BlueprintReference | undefined,
): AgentContent {
  const base = { ...(blueprint?.content ?? emptyContent), name: body.name }
  return {
    ...patchContent(base, body),
    dataSourceIds: body.data_source_ids ?? [],
    blueprintId: blueprint?.id ?? null,
    blueprintVersion: blueprint?.version ?? null,
  }
}

/**
 * Returns the content of an agent after a change.
 * @param blueprint the version that the agent takes over first, with its description and behaviour
 */
export function patchAgentContent(
  current: AgentContent,
  body: InputOf<typeof surface.updateAgent>['body'],
  blueprint: BlueprintReference | undefined,
): AgentContent {
  const { dataSourceIds, blueprintId, blueprintVersion, name } = current
  const base = blueprint === undefined ? current : { ...blueprint.content, name }
  return {
    ...patchContent(base, body),
    dataSourceIds: body.data_source_ids ?? dataSourceIds,
    blueprintId,
    blueprintVersion: blueprint?.version ?? blueprintVersion,
  }
}

/** Applies a change: the model is merged (RFC 7396), any other field is replaced. */
export const patchContent = (content: VersionContent, patch: ContentPatch): VersionContent => ({
  name: patch.name ?? content.name,
  description: patch.description ?? content.description,
  instructions: patch.instructions ?? content.instructions,
  model: patch.model === undefined ? content.model : patchModel(content.model, patch.model),
  tools: patch.tools ?? content.tools,
  inputSchema: patch.input_schema === undefined ? content.inputSchema : patch.input_schema,
})

function patchModel(model: Model, patch: ModelPatch): Model {
  const isSameProvider = patch.provider === undefined || patch.provider === model.provider
  const { id: _id, ...withoutId } = model
  const base: Record<string, unknown> = isSameProvider ? model : withoutId
  return mergePatch(base, patch as Record<string, unknown>) as Model // both have the members of a model; null removes optional ones only
}
