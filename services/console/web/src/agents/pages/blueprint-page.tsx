import { getRouteApi } from '@tanstack/react-router'
import { type Blueprint, NewBlueprintVersion } from '@wp/contracts'
import type { z } from 'zod'
import { changeSearch } from '../../api/search-params.ts'
import { useApiQuery, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { ErrorMessage } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card, Cluster, Page } from '../../ui/page/page.tsx'
import { JsonView } from '../../ui/values/code-block.tsx'
import { Badge, DefinitionList, Id } from '../../ui/values/values.tsx'
import { AgentForm } from '../agent-form/agent-form.tsx'
import { Loading } from '../answer/run-error.tsx'
import { bodySchema, modelName, namesById, toValues } from '../shared/agent-values.ts'
import styles from '../shared/agents.module.css'
import { useIntegrations } from '../shared/queries.ts'
import { VersionList } from '../shared/version-list.tsx'

const route = getRouteApi('/$workspaceId/agents/blueprints/$blueprintId')
type BlueprintDetail = z.input<typeof Blueprint>

/** One blueprint: its content, its versions, and the form of the next one. */
export function BlueprintPage() {
  const { blueprintId } = route.useParams()
  const search = route.useSearch()
  const { edit } = search
  const navigate = route.useNavigate()
  const setEditing = (edit: true | undefined) => void navigate({ search: changeSearch(search, { edit }) })
  const can = useCan()
  const blueprint = useApiQuery(['blueprints', blueprintId], (api, options) =>
    api.agents.getBlueprint({ params: { id: blueprintId } }, options),
  )
  const parent = {
    label: 'Blueprints',
    link: { to: '/$workspaceId/agents/blueprints' },
  } as const
  if (blueprint.data === undefined)
    return (
      <Page title="Blueprint" parent={parent}>
        {blueprint.error ? (
          <ErrorMessage error={blueprint.error} onRetry={() => void blueprint.refetch()} />
        ) : (
          <Loading />
        )}
      </Page>
    )
  const { name, description, built_in: isBuiltIn } = blueprint.data
  const mayEdit = !isBuiltIn && can('agents:write')
  if (edit && mayEdit)
    return (
      <Page title={`New version of ${name}`} parent={parent} isNarrow>
        <NextVersionForm blueprint={blueprint.data} onDone={() => setEditing(undefined)} />
      </Page>
    )
  return (
    <Page
      title={name}
      status={isBuiltIn ? <Badge>built in</Badge> : <Badge>version {blueprint.data.version}</Badge>}
      description={description}
      parent={parent}
      actions={
        <>
          {mayEdit && <Button onClick={() => setEditing(true)}>New version</Button>}
          {can('agents:write') && (
            <ButtonLink to="/$workspaceId/agents/new" search={{ blueprint: blueprintId }} variant="primary">
              Create an assistant
            </ButtonLink>
          )}
        </>
      }
    >
      <BlueprintContent blueprint={blueprint.data} />
      {!isBuiltIn && <BlueprintVersions blueprint={blueprint.data} />}
    </Page>
  )
}

function BlueprintContent({ blueprint }: { blueprint: BlueprintDetail }) {
  const { data: integrations } = useIntegrations()
  const names = namesById(integrations)
  return (
    <>
      <Card title="Behaviour">
        <DefinitionList
          items={[
            ['Blueprint', <Id key="id" value={blueprint.id} />],
            ['Model', modelName(blueprint.model, names)],
            [
              'Tools',
              <Cluster key="tools">
                {blueprint.tools.map((tool) =>
                  typeof tool === 'string' ? (
                    <Badge key={tool}>{tool}</Badge>
                  ) : (
                    <Badge key={tool.integration_id} tone="accent">
                      {names.get(tool.integration_id) ?? tool.integration_id}
                    </Badge>
                  ),
                )}
                {blueprint.tools.length === 0 && 'None'}
              </Cluster>,
            ],
          ]}
        />
      </Card>
      <Card title="Instructions">
        <p className={styles.instructions}>{blueprint.instructions || 'None'}</p>
      </Card>
      {blueprint.input_schema !== null && (
        <Card title="Input schema">
          <JsonView value={blueprint.input_schema} label="Input schema" />
        </Card>
      )}
    </>
  )
}

function BlueprintVersions({ blueprint: { id, version } }: { blueprint: BlueprintDetail }) {
  const versions = useApiQuery(['blueprints', id, 'versions'], (api, options) =>
    api.agents.listBlueprintVersions({ params: { id }, query: { limit: 100 } }, options),
  )
  if (versions.error) return <ErrorMessage error={versions.error} onRetry={() => void versions.refetch()} />
  if (versions.data === undefined) return <Loading />
  return (
    <Card
      title="Versions"
      {...(versions.data.nextCursor !== null && { description: 'The newest 100 versions.' })}
      isFlush
    >
      <VersionList versions={versions.data.items} current={version} />
    </Card>
  )
}

function NextVersionForm({ blueprint, onDone }: { blueprint: BlueprintDetail; onDone: () => void }) {
  const { api, refresh } = useWorkspace()
  const apiForm = useApiForm({
    schema: bodySchema(NewBlueprintVersion, { emptySetting: 'null', hasDataSources: false }),
    defaultValues: toValues(blueprint),
    onSubmit: async (body) => {
      const { version } = await api.agents.createBlueprintVersion({ params: { id: blueprint.id }, body })
      await refresh('blueprints')
      showSuccess(`Version ${version} was created`)
      onDone()
    },
  })
  return <AgentForm apiForm={apiForm} submitLabel="Create the version" hasDataSources={false} onCancel={onDone} />
}
