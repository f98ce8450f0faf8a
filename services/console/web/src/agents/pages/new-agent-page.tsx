import { getRouteApi } from '@tanstack/react-router'
import { NewAgent } from '@wp/contracts'
import { changeSearch } from '../../api/search-params.ts'
import { MissingScopeNotice } from '../../session/missing-scope-notice.tsx'
import { useWorkspace } from '../../session/workspace-context.tsx'
import { Select } from '../../ui/form/controls.tsx'
import { Field } from '../../ui/form/field.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { ErrorMessage } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card, Page } from '../../ui/page/page.tsx'
import { AgentForm } from '../agent-form/agent-form.tsx'
import { Loading } from '../answer/run-error.tsx'
import { type AgentValues, bodySchema, emptyValues, toValues } from '../shared/agent-values.ts'
import { useBlueprints } from '../shared/queries.ts'

const route = getRouteApi('/$workspaceId/agents/new')

/** Creates an agent, from a blueprint or from scratch. */
export function NewAgentPage() {
  const search = route.useSearch()
  const { blueprint: chosenId } = search
  const navigate = route.useNavigate()
  const blueprints = useBlueprints()
  const blueprint = blueprints.data?.find(({ id }) => id === chosenId)
  return (
    <Page
      title="New assistant"
      description="Start from a blueprint and change what you need, or start empty."
      parent={{ label: 'Assistants', link: { to: '/$workspaceId/agents' } }}
      isNarrow
    >
      <MissingScopeNotice action="create assistants" scope="agents:write" />
      {blueprints.error && <ErrorMessage error={blueprints.error} onRetry={() => void blueprints.refetch()} />}
      <Card>
        <Field
          label="Blueprint"
          hint={blueprint?.description ?? 'A template with instructions and tools. The assistant keeps a copy of it.'}
        >
          <Select
            value={blueprint?.id ?? ''}
            options={[
              { value: '', label: 'None, start empty' },
              ...(blueprints.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={({ target: { value } }) =>
              void navigate({ search: changeSearch(search, { blueprint: value || undefined }), replace: true })
            }
          />
        </Field>
      </Card>
      {chosenId !== undefined && blueprints.isLoading ? (
        <Loading />
      ) : (
        <NewAgentForm
          key={blueprint?.id ?? ''}
          blueprintId={blueprint?.id}
          defaultValues={blueprint === undefined ? emptyValues : { ...toValues(blueprint), name: '' }}
        />
      )}
    </Page>
  )
}

function NewAgentForm({ blueprintId, defaultValues }: { blueprintId: string | undefined; defaultValues: AgentValues }) {
  const { api, workspaceId, refresh } = useWorkspace()
  const navigate = route.useNavigate()
  const extra = blueprintId === undefined ? {} : { blueprint_id: blueprintId }
  const apiForm = useApiForm({
    schema: bodySchema(NewAgent, { emptySetting: 'null', hasDataSources: true, extra }),
    defaultValues,
    onSubmit: async (body) => {
      const { agent_id: agentId } = await api.agents.createAgent({ body })
      await refresh('agents')
      showSuccess('The assistant was created')
      await navigate({ to: '/$workspaceId/agents/$agentId', params: { workspaceId, agentId } })
    },
  })
  return (
    <AgentForm
      apiForm={apiForm}
      submitLabel="Create the assistant"
      hasDataSources
      onCancel={() => void navigate({ to: '/$workspaceId/agents', params: { workspaceId } })}
    />
  )
}
