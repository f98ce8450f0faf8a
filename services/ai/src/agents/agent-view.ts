import { agents } from '@wp/contracts'
import { viewOf } from '@wp/database'
import type { z } from 'zod'
import type { AgentContent, AgentVersion } from '../store/agents/agent-versions.ts'
import type { Agent } from '../store/agents/agents.ts'
import type { VersionContent, VersionPair } from '../store/version-content.ts'
import { versionChanges } from './version-changes.ts'

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
