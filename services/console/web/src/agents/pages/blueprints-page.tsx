import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type Blueprint, NewBlueprint } from '@wp/contracts'
import type { z } from 'zod'
import { changeSearch } from '../../api/search-params.ts'
import { useApiQuery, useBaseUrl, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { EmptyState } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Page } from '../../ui/page/page.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { CodeBlock } from '../../ui/values/code-block.tsx'
import { Badge, Time } from '../../ui/values/values.tsx'
import { AgentForm } from '../agent-form/agent-form.tsx'
import { bodySchema, emptyValues } from '../shared/agent-values.ts'
import styles from '../shared/agents.module.css'
import { SearchedList } from '../shared/searched-list.tsx'
import { blueprintSnippet } from '../shared/snippets.ts'

const route = getRouteApi('/$workspaceId/agents/blueprints')
type BlueprintRow = z.input<typeof Blueprint>

/** The blueprints of the workspace and the built-in ones. */
export function BlueprintsPage() {
  const search = route.useSearch()
  return search.create ? <NewBlueprintPage /> : <BlueprintList />
}

function BlueprintList() {
  const can = useCan()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { create: _create, ...query } = search
  const blueprints = useApiQuery(
    ['blueprints', 'list', search],
    (api, options) => api.agents.listBlueprints({ query: { ...query, limit: 25 } }, options),
    { placeholderData: keepPreviousData },
  )
  return (
    <SearchedList
      description="Templates of assistants, in versions. An assistant keeps a copy of the version that it is made from."
      actions={
        can('agents:write') && (
          <Button
            icon="plus"
            variant="primary"
            onClick={() => void navigate({ search: changeSearch(search, { create: true }) })}
          >
            New blueprint
          </Button>
        )
      }
      columns={columns}
      page={blueprints}
      noun="blueprints"
      rowKey={({ id }) => id}
      rowLink={({ id: blueprintId }) => ({
        to: '/$workspaceId/agents/blueprints/$blueprintId',
        params: { blueprintId },
      })}
      empty={<NoBlueprints />}
    />
  )
}

const columns: readonly Column<BlueprintRow>[] = [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Description', cell: ({ description }) => <span className={styles.clamp}>{description || '–'}</span> },
  { header: 'Origin', cell: ({ built_in }) => <Badge>{built_in ? 'built in' : 'workspace'}</Badge>, isNarrow: true },
  { header: 'Tools', cell: ({ tools }) => tools.length, align: 'end', isNarrow: true },
  { header: 'Version', cell: ({ version }) => version, align: 'end', isNarrow: true },
  {
    header: 'Changed',
    cell: ({ built_in, updated_at }) => (built_in ? '–' : <Time value={updated_at} />),
    isNarrow: true,
  },
]

function NoBlueprints() {
  const baseUrl = useBaseUrl()
  return (
    <EmptyState
      icon="filter"
      title="No blueprints yet"
      snippet={<CodeBlock code={blueprintSnippet(baseUrl)} label="Create by curl" />}
    >
      Create one, and make assistants of it.
    </EmptyState>
  )
}

function NewBlueprintPage() {
  const { api, workspaceId, refresh } = useWorkspace()
  const navigate = useNavigate()
  const params = { workspaceId }
  const apiForm = useApiForm({
    schema: bodySchema(NewBlueprint, { emptySetting: 'omit', hasDataSources: false }),
    defaultValues: emptyValues,
    onSubmit: async (body) => {
      const { id: blueprintId } = await api.agents.createBlueprint({ body })
      await refresh('blueprints')
      showSuccess('The blueprint was created')
      await navigate({
        to: '/$workspaceId/agents/blueprints/$blueprintId',
        params: { workspaceId, blueprintId },
        replace: true,
      })
    },
  })
  return (
    <Page
      title="New blueprint"
      description="A template of assistants. Its versions cannot be changed, and assistants keep a copy."
      parent={{ label: 'Blueprints', link: { to: '/$workspaceId/agents/blueprints', params } }}
      isNarrow
    >
      <AgentForm
        apiForm={apiForm}
        submitLabel="Create the blueprint"
        hasDataSources={false}
        onCancel={() => void navigate({ to: '/$workspaceId/agents/blueprints', params })}
      />
    </Page>
  )
}
