import { getRouteApi } from '@tanstack/react-router'
import { changeSearch } from '../../api/search-params.ts'
import { useBaseUrl } from '../../session/workspace-context.tsx'
import { FilterBar, SelectFilter } from '../../ui/filter/filter-bar.tsx'
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
  const navigate = route.useNavigate()
  const baseUrl = useBaseUrl()
  const { data: agent } = useAgent(agentId)
  const setStatus = (value: string | undefined) => {
    const status = runStates.find((state) => state === value)
    void navigate({ search: changeSearch(search, { status, cursor: undefined }), replace: true })
  }
  return (
    <RunsTable
      filterBar={
        <FilterBar onClear={search.status === undefined ? undefined : () => setStatus(undefined)}>
          <SelectFilter label="Status" value={search.status} options={runStates} onChange={setStatus} />
        </FilterBar>
      }
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
