import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type Agent, AgentPatch, type NewAgentVersion } from '@wp/contracts'
import type { z } from 'zod'
import { useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { Callout } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card } from '../../ui/page/page.tsx'
import { DefinitionList, Id, Time } from '../../ui/values/values.tsx'
import { AgentForm } from '../agent-form/agent-form.tsx'
import { bodySchema, toValues } from '../shared/agent-values.ts'
import { agentQuery, useAgent } from '../shared/queries.ts'

const route = getRouteApi('/$workspaceId/agents/$agentId/configuration')

/** The tab where the behaviour of an agent is changed. */
export function AgentConfiguration() {
  const { agentId } = route.useParams()
  const { data: agent } = useAgent(agentId)
  const can = useCan()
  if (agent === undefined) return null
  return (
    <>
      {!can('agents:write') && (
        <Callout tone="warning" title="You can read this configuration, but not change it">
          It needs the scope agents:write.
        </Callout>
      )}
      <AgentFacts agent={agent} />
      <ConfigurationForm key={agent.version} agent={agent} />
    </>
  )
}

const AgentFacts = ({ agent }: { agent: z.input<typeof Agent> }) => (
  <Card>
    <DefinitionList
      items={[
        ['Assistant', <Id key="id" value={agent.agent_id} />],
        ['Version', agent.version],
        agent.blueprint_id !== null && ['Blueprint', `${agent.blueprint_id}, version ${agent.blueprint_version ?? 1}`],
        ['Changed', <Time key="changed" value={agent.updated_at} />],
        agent.external_id !== null && ['External id', <Id key="external" value={agent.external_id} />],
      ]}
    />
  </Card>
)

function ConfigurationForm({ agent }: { agent: z.input<typeof Agent> }) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const { agent_id: agentId, version, gate } = agent
  const navigate = useNavigate()
  /** With a condition for new versions, a change is tested before it becomes active. */
  const createVersion = async (body: z.input<typeof NewAgentVersion>) => {
    const created = await api.agents.createAgentVersion({ params: { agent_id: agentId }, body })
    await queryClient.invalidateQueries({ queryKey: [workspaceId, 'agents', agentId] })
    showSuccess(`Version ${created.version} was created; test it, then activate it`)
    await navigate({ to: '/$workspaceId/agents/$agentId/evaluations', params: { workspaceId, agentId } })
  }
  const apiForm = useApiForm({
    schema: bodySchema(AgentPatch, { emptySetting: 'null', hasDataSources: true }),
    defaultValues: toValues(agent),
    onSubmit: async (body) => {
      if (gate !== null) return createVersion(body)
      const changed = await api.agents.updateAgent({ params: { agent_id: agentId }, body })
      queryClient.setQueryData(agentQuery(api, workspaceId, agentId).queryKey, changed)
      await queryClient.invalidateQueries({ queryKey: [workspaceId, 'agents'] })
      showSuccess(changed.version === version ? 'Nothing was changed' : `Version ${changed.version} was created`)
    },
  })
  return <AgentForm apiForm={apiForm} submitLabel="Save as a new version" hasDataSources />
}
