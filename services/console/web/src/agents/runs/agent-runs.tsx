import { getRouteApi } from '@tanstack/react-router'
import { useBaseUrl } from '../../session/workspace-context.tsx'
import { ListFilters } from '../../ui/filter/list-filters.tsx'
import { EmptyState } from '../../ui/message/message.tsx'
import { CodeBlock } from '../../ui/values/code-block.tsx'
import { useAgent } from '../shared/queries.ts'
import { runSnippet } from '../shared/snippets.ts'
import { runStates } from '../shared/states.ts'
import { RunsTable } from './runs-table.tsx'

const route = getRouteApi('/$workspaceId/agents/$agentId/runs')

/** The runs of one agent. */
export function AgentRuns() {
  const { agentId } = route.useParams()
  const search = route.useSearch()
  const baseUrl = useBaseUrl()
  const { data: agent } = useAgent(agentId)
  return (
    <RunsTable
      filterBar={<ListFilters filters={[{ name: 'status', label: 'Status', options: runStates }]} />}
      filters={{ ...search, agent_id: agentId }}
      empty={
        <EmptyState
          icon="play"
          title={search.status === undefined ? 'This assistant has not run yet' : 'No run has this status'}
          {...(agent && { snippet: <CodeBlock code={runSnippet(baseUrl, agent)} label="Run by curl" /> })}
        >
          Runs of the playground, of the API and of AI clients are listed here.
        </EmptyState>
      }
    />
  )
}
