import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { SourcePatch, sourceConfigs } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { useCan, useWorkspace } from '../session/workspace-context.tsx'
import { Button } from '../ui/button/button.tsx'
import { mergePatch } from '../ui/form/merge-patch.ts'
import { Callout, Skeleton } from '../ui/message/message.tsx'
import { showSuccess } from '../ui/message/toast.ts'
import { Card } from '../ui/page/page.tsx'
import { validateBody } from '../ui/schema-form/body-errors.ts'
import { DraftForm } from '../ui/schema-form/draft-form.tsx'
import { DefinitionList, Id, Time } from '../ui/values/values.tsx'
import { type Source, sourceQuery } from './shared/queries.ts'
import { type SourceDraft, SourceFields } from './source-form.tsx'

const route = getRouteApi('/$workspaceId/data/$sourceId/settings')

/** The settings of a source. */
export function SourceSettingsPage() {
  const { api, workspaceId } = useWorkspace()
  const { sourceId } = route.useParams()
  const { data: source } = useQuery(sourceQuery(api, workspaceId, sourceId))
  if (source === undefined) return <Skeleton height="16rem" />
  return (
    <>
      <SettingsForm key={source.updated_at} source={source} />
      <SchemaCard source={source} />
      <Card title="About">
        <DefinitionList
          items={[
            ['Id', <Id key="id" value={source.data_source_id} />],
            source.external_id !== null && ['External id', source.external_id],
            ['Created', <Time key="created" value={source.created_at} format="absolute" />],
            ['Changed', <Time key="changed" value={source.updated_at} format="absolute" />],
          ]}
        />
      </Card>
    </>
  )
}

const draftOf = (source: Source): SourceDraft => ({
  name: source.name,
  integration_id: source.integration_id,
  config: { ...source.config },
  sync_mode: source.sync_mode,
  embed: source.embed,
  schedule: source.schedule,
})

function SettingsForm({ source }: { source: Source }) {
  const { api, refresh } = useWorkspace()
  const can = useCan()
  const [draft, setDraft] = useState(() => draftOf(source))
  const save = async (body: z.infer<typeof SourcePatch>) => {
    await api.data.updateSource({ params: { data_source_id: source.data_source_id }, body })
    showSuccess('Settings saved')
    await refresh('data')
  }
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(source))
  return (
    <DraftForm
      validate={() => validateDraft(source, draft)}
      send={save}
      submitLabel="Save changes"
      disabled={!isChanged || !can('data:write')}
      actions={isChanged && <Button onClick={() => setDraft(draftOf(source))}>Discard</Button>}
    >
      {(errors) => (
        <>
          <SourceFields provider={source.provider} draft={draft} onChange={setDraft} errors={errors} />
          {source.provider !== 'upload' && isChanged && (
            <Callout>A change of what is read makes the next sync read from the beginning.</Callout>
          )}
        </>
      )}
    </DraftForm>
  )
}

/** Validates the merged config by the shape of its provider, as the platform does, and returns the change. */
function validateDraft(source: Source, draft: SourceDraft): ReturnType<typeof validatePatch> {
  const config = validateBody(sourceConfigs[source.provider], draft.config)
  if (config.body === undefined) {
    const errors = [...config.errors].map(([pointer, detail]) => [`/config${pointer}`, detail] as const)
    return { body: undefined, errors: new Map(errors) }
  }
  return validatePatch(source, draft)
}

function validatePatch(source: Source, draft: SourceDraft) {
  const { name, sync_mode, embed, schedule, integration_id } = draft
  const isUpload = source.provider === 'upload'
  return validateBody(SourcePatch, {
    name,
    embed,
    config: mergePatch(source.config, draft.config),
    ...(!isUpload && { sync_mode, schedule }),
    ...(integration_id !== source.integration_id && { integration_id }),
  })
}

function SchemaCard({ source: { schema } }: { source: Source }) {
  if (schema.length === 0) return null
  return (
    <Card title="Fields" description="Types are inferred from the records, unless declared in the settings.">
      <DefinitionList
        items={schema.map(({ name, type, declared }) => [name, declared === undefined ? type : `${type} (declared)`])}
      />
    </Card>
  )
}
