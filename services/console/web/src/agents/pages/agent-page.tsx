import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Outlet, useNavigate } from '@tanstack/react-router'
import type { Agent } from '@wp/contracts'
import type { z } from 'zod'
import { useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { ConfirmedAction } from '../../ui/dialog/confirm-dialog.tsx'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { ActionMenu } from '../../ui/menu/menu.tsx'
import { PageTabs } from '../../ui/menu/tabs.tsx'
import { ErrorMessage } from '../../ui/message/message.tsx'
import { showError, showSuccess } from '../../ui/message/toast.ts'
import { Page } from '../../ui/page/page.tsx'
import { StatusBadge } from '../../ui/values/values.tsx'
import { Loading } from '../answer/run-error.tsx'
import { agentQuery, useAgent } from '../shared/queries.ts'

const route = getRouteApi('/$workspaceId/agents/$agentId')
type AgentDetail = z.input<typeof Agent>

/** The frame of the pages of one agent: its name, its tabs and its actions. */
export function AgentPage() {
  const { workspaceId, agentId } = route.useParams()
  const agent = useAgent(agentId)
  const parent = { label: 'Assistants', link: { to: '/$workspaceId/agents' } } as const
  if (agent.data === undefined)
    return (
      <Page title="Assistant" parent={parent}>
        {agent.error ? <ErrorMessage error={agent.error} onRetry={() => void agent.refetch()} /> : <Loading />}
      </Page>
    )
  const { name, status, description } = agent.data
  const params = { workspaceId, agentId }
  return (
    <Page
      title={name}
      status={<StatusBadge status={status} />}
      description={description}
      parent={parent}
      actions={<AgentActions agent={agent.data} />}
    >
      <PageTabs
        label="Assistant"
        tabs={[
          { label: 'Playground', link: { to: '/$workspaceId/agents/$agentId', params } },
          { label: 'Configuration', link: { to: '/$workspaceId/agents/$agentId/configuration', params } },
          { label: 'Automation', link: { to: '/$workspaceId/agents/$agentId/automation', params } },
          { label: 'Versions', link: { to: '/$workspaceId/agents/$agentId/versions', params } },
          { label: 'Tests', link: { to: '/$workspaceId/agents/$agentId/evaluations', params } },
          { label: 'Runs', link: { to: '/$workspaceId/agents/$agentId/runs', params } },
        ]}
      />
      <Outlet />
    </Page>
  )
}

function AgentActions({ agent: { agent_id: agentId, name, status } }: { agent: AgentDetail }) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const can = useCan()
  if (!can('agents:write')) return null
  const setStatus = async (next: AgentDetail['status']) => {
    try {
      const changed = await api.agents.updateAgent({ params: { agent_id: agentId }, body: { status: next } })
      queryClient.setQueryData(agentQuery(api, workspaceId, agentId).queryKey, changed)
      await queryClient.invalidateQueries({ queryKey: [workspaceId, 'agents'] })
      showSuccess(`The assistant is ${next}`)
    } catch (error) {
      showError(error)
    }
  }
  const remove = async () => {
    await api.agents.deleteAgent({ params: { agent_id: agentId } })
    await navigate({ to: '/$workspaceId/agents', params: { workspaceId } })
    queryClient.removeQueries({ queryKey: [workspaceId, 'agents', agentId] })
    await queryClient.invalidateQueries({ queryKey: [workspaceId, 'agents'] })
    showSuccess('The assistant was deleted')
  }
  return (
    <ConfirmedAction
      control={(ask) => (
        <ActionMenu
          label={`Actions of ${name}`}
          entries={[
            status !== 'active' && { label: 'Activate', icon: 'play', onSelect: () => void setStatus('active') },
            status !== 'archived' && { label: 'Archive', icon: 'lock', onSelect: () => void setStatus('archived') },
            'separator',
            { label: 'Delete', icon: 'trash', isDangerous: true, onSelect: ask },
          ]}
        />
      )}
      title={`Delete ${isolate(name)}?`}
      confirmLabel="Delete the assistant"
      onConfirm={remove}
    >
      Its queued and running runs are cancelled. Runs that have ended remain readable. This cannot be undone.
    </ConfirmedAction>
  )
}
