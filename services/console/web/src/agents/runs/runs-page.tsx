import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useBaseUrl } from '../../session/workspace-context.tsx'
import { AreaTabs } from '../../shell/area-tabs.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { ListFilters } from '../../ui/filter/list-filters.tsx'
import { EmptyState, NoMatch } from '../../ui/message/message.tsx'
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
        filterBar={
          <ListFilters
            filters={[
              {
                name: 'agent_id',
                label: 'Assistant',
                options: [...agentNames].map(([value, label]) => ({ value, label })),
              },
              { name: 'status', label: 'Status', options: runStates },
              { name: 'conversation_id', label: 'Conversation', placeholder: 'conv_…' },
              { name: 'external_id', label: 'External id' },
            ]}
          />
        }
        filters={search}
        agentNames={agentNames}
        empty={
          Object.keys(filters).length > 0 ? (
            <NoMatch title="No run matches these filters" />
          ) : (
            <NoRuns agentId={agents?.[0]?.agent_id} />
          )
        }
      />
    </Page>
  )
}

function NoRuns({ agentId }: { agentId: string | undefined }) {
  const baseUrl = useBaseUrl()
  return (
    <EmptyState
      icon="play"
      title="No assistant has run yet"
      actions={<ButtonLink to="/$workspaceId/agents">Choose an assistant</ButtonLink>}
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
