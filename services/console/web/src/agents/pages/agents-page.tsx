import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Agent } from '@wp/contracts'
import { useMemo } from 'react'
import type { z } from 'zod'
import { useApiQuery, useBaseUrl, useCan } from '../../session/workspace-context.tsx'
import { ListPage } from '../../shell/list-page.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { EmptyState, NoMatch } from '../../ui/message/message.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { PagedTable } from '../../ui/table/paged-table.tsx'
import { CodeBlock } from '../../ui/values/code-block.tsx'
import { StatusBadge, Time } from '../../ui/values/values.tsx'
import { modelName, namesById } from '../shared/agent-values.ts'
import styles from '../shared/agents.module.css'
import { useBlueprints, useIntegrations } from '../shared/queries.ts'
import { createSnippet } from '../shared/snippets.ts'
import { agentStates } from '../shared/states.ts'

const route = getRouteApi('/$workspaceId/agents')
type AgentRow = z.input<typeof Agent>

/** The agents of the workspace. */
export function AgentsPage() {
  const can = useCan()
  const search = route.useSearch()
  const { cursor: _cursor, ...filters } = search
  const agents = useApiQuery(
    ['agents', 'list', search],
    (api, options) => api.agents.listAgents({ query: { ...search, limit: 25 } }, options),
    { placeholderData: keepPreviousData },
  )
  const { data: blueprints } = useBlueprints()
  const { data: integrations } = useIntegrations()
  const columns = useMemo(() => agentColumns(namesById(integrations)), [integrations])
  return (
    <ListPage
      title="Assistants"
      area="Assistants"
      description="Assistants that answer from the data of the workspace, with instructions, a model and tools."
      actions={
        can('agents:write') && (
          <ButtonLink icon="plus" to="/$workspaceId/agents/new" variant="primary">
            New assistant
          </ButtonLink>
        )
      }
      filters={[
        { name: 'search', label: 'Search assistants', isSearch: true },
        { name: 'status', label: 'Status', options: agentStates },
        {
          name: 'blueprint_id',
          label: 'Blueprint',
          options: (blueprints ?? []).map(({ id, name }) => ({ value: id, label: name })),
        },
      ]}
    >
      <PagedTable
        columns={columns}
        page={agents}
        noun="assistants"
        rowKey={({ agent_id }) => agent_id}
        rowLink={({ agent_id: agentId }) => ({
          to: '/$workspaceId/agents/$agentId',
          params: { agentId },
        })}
        empty={Object.keys(filters).length > 0 ? <NoMatch title="No assistant matches these filters" /> : <NoAgents />}
      />
    </ListPage>
  )
}

const agentColumns = (integrationNames: ReadonlyMap<string, string>): readonly Column<AgentRow>[] => [
  {
    header: 'Name',
    cell: ({ name }) => <span className={styles.name}>{name}</span>,
  },
  { header: 'Description', cell: ({ description }) => <span className={styles.clamp}>{description || '–'}</span> },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} />, isNarrow: true },
  { header: 'Model', cell: ({ model }) => modelName(model, integrationNames) },
  { header: 'Tools', cell: ({ tools }) => tools.length, align: 'end', isNarrow: true },
  { header: 'Version', cell: ({ version }) => version, align: 'end', isNarrow: true },
  { header: 'Changed', cell: ({ updated_at }) => <Time value={updated_at} />, isNarrow: true },
]

function NoAgents() {
  const can = useCan()
  const baseUrl = useBaseUrl()
  return (
    <EmptyState
      icon="robot"
      title="Create the first assistant"
      actions={
        can('agents:write') && (
          <ButtonLink to="/$workspaceId/agents/new" search={{ blueprint: 'question_answering' }} variant="primary">
            Create an assistant that answers questions
          </ButtonLink>
        )
      }
      snippet={<CodeBlock code={createSnippet(baseUrl)} label="Create by curl" />}
    >
      An assistant searches the records of your data sources and answers with citations. It needs no key of a model
      provider.
    </EmptyState>
  )
}
