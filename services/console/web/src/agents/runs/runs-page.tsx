import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { changeSearch } from '../../api/search-params.ts'
import { useBaseUrl, useWorkspaceId } from '../../session/workspace-context.tsx'
import { AreaTabs } from '../../shell/area-tabs.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { FilterBar, SelectFilter, TextFilter } from '../../ui/filter/filter-bar.tsx'
import { EmptyState } from '../../ui/message/message.tsx'
import { Page } from '../../ui/page/page.tsx'
import { CodeBlock } from '../../ui/values/code-block.tsx'
import { useAgents } from '../shared/queries.ts'
import { runSnippet } from '../shared/snippets.ts'
import { runStates } from '../shared/states.ts'
import { RunsTable } from './runs-table.tsx'

const route = getRouteApi('/$workspaceId/agents/runs')

/** The runs of all agents. */
export function RunsPage() {
  const search = route.useSearch()
  const { data: agents } = useAgents()
  const agentNames = useMemo(() => new Map(agents?.map(({ agent_id: id, name }) => [id, name])), [agents])
  const { cursor: _cursor, ...filters } = search
  return (
    <Page title="Assistants" description="Every run of an assistant, with its steps and its use.">
      <AreaTabs area="Assistants" />
      <RunsTable
        filterBar={<RunFilterBar agentNames={agentNames} />}
        filters={search}
        agentNames={agentNames}
        empty={Object.keys(filters).length > 0 ? <NoMatch /> : <NoRuns agentId={agents?.[0]?.agent_id} />}
      />
    </Page>
  )
}

function RunFilterBar({ agentNames }: { agentNames: ReadonlyMap<string, string> }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { cursor: _cursor, ...filters } = search
  const set = (change: { [Name in keyof typeof search]?: (typeof search)[Name] | undefined }) =>
    void navigate({ search: changeSearch(search, { ...change, cursor: undefined }), replace: true })
  const clear = () =>
    set({ agent_id: undefined, status: undefined, conversation_id: undefined, external_id: undefined })
  const isFiltered = Object.keys(filters).length > 0
  return (
    <FilterBar onClear={isFiltered ? clear : undefined}>
      <SelectFilter
        label="Assistant"
        value={search.agent_id}
        options={[...agentNames].map(([value, label]) => ({ value, label }))}
        onChange={(value) => set({ agent_id: value })}
      />
      <SelectFilter
        label="Status"
        value={search.status}
        options={runStates}
        onChange={(value) => set({ status: runStates.find((state) => state === value) })}
      />
      <TextFilter
        label="Conversation"
        placeholder="conv_…"
        value={search.conversation_id}
        onChange={(value) => set({ conversation_id: value })}
      />
      <TextFilter label="External id" value={search.external_id} onChange={(value) => set({ external_id: value })} />
    </FilterBar>
  )
}

const NoMatch = () => (
  <EmptyState icon="filter" title="No run matches these filters">
    Change or clear the filters.
  </EmptyState>
)

function NoRuns({ agentId }: { agentId: string | undefined }) {
  const workspaceId = useWorkspaceId()
  const baseUrl = useBaseUrl()
  return (
    <EmptyState
      icon="play"
      title="No assistant has run yet"
      actions={
        <ButtonLink to="/$workspaceId/agents" params={{ workspaceId }}>
          Choose an assistant
        </ButtonLink>
      }
      snippet={
        <CodeBlock
          code={runSnippet(baseUrl, { agent_id: agentId ?? '$AGENT', input_schema: null })}
          label="Run by curl"
        />
      }
    >
      Runs of the playground, of the API and of AI clients are listed here, with their steps, citations and tokens.
    </EmptyState>
  )
}
