import { isDeepStrictEqual } from 'node:util'
import { agents, type VersionChange } from '@wp/contracts'
import { viewOf } from '@wp/database'
import type { z } from 'zod'
import type { AgentContent, AgentVersion } from '../store/agents/agent-versions.ts'
import type { Agent } from '../store/agents/agents.ts'
import type { VersionContent, VersionPair } from '../store/version-content.ts'

/** Returns the fields that the versions of blueprints and agents have in common. */
export const contentView = ({ name, description, instructions, model, tools, inputSchema }: VersionContent) => ({
  name,
  description,
  instructions,
  model,
  tools,
  input_schema: inputSchema,
})

const agentContentView = (content: AgentContent) => ({
  ...contentView(content),
  blueprint_id: content.blueprintId,
  blueprint_version: content.blueprintVersion,
  data_source_ids: content.dataSourceIds,
})

export const agentView = (agent: Agent): z.input<typeof agents.getAgent.ok> =>
  viewOf(agents.getAgent.ok, agent, agentContentView(agent.content))

export const agentVersionView = (
  { version, before }: VersionPair<AgentVersion>,
  current: Pick<Agent, 'version'>,
): z.input<typeof agents.listAgentVersions.list> =>
  viewOf(agents.listAgentVersions.list, version, {
    ...agentContentView(version.content),
    active: version.version === current.version,
    changes: before === undefined ? [] : versionChanges(before.content, version.content),
  })

type Content = VersionContent | AgentContent

/** Returns the differences of two versions, by the field names of the API. */
export function versionChanges(before: Content, after: Content): VersionChange[] {
  const [from, to] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...from.keys(), ...to.keys()])]
    .map((field) => ({ field, from: from.get(field) ?? null, to: to.get(field) ?? null }))
    .filter((change) => !isDeepStrictEqual(change.from, change.to))
}

/**
 * Returns the fields of a version. Settings of the model are fields of their own, so that a change names only these.
 */
function fieldsOf(content: Content): Map<string, unknown> {
  const { name, description, instructions, model, tools, inputSchema } = content
  const settings = Object.entries(model).map(([setting, value]) => [`model.${setting}`, value] as const)
  const fields = new Map<string, unknown>([
    ...Object.entries({ name, description, instructions }),
    ...settings,
    ...Object.entries({ tools, input_schema: inputSchema }),
  ])
  if (!('dataSourceIds' in content)) return fields
  return fields
    .set('data_source_ids', content.dataSourceIds)
    .set('blueprint_id', content.blueprintId)
    .set('blueprint_version', content.blueprintVersion)
}
