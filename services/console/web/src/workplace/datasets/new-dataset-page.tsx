import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { mapRoles, recognizeDataset } from '@wp/tabular'
import { useState } from 'react'
import { useLeadOn } from '../../routing/use-lead-on.ts'
import { MissingScopeNotice } from '../../session/missing-scope-notice.tsx'
import { useApiQuery, useCan, useWorkspace, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ButtonLink, Link } from '../../ui/button/button-link.tsx'
import { Select } from '../../ui/form/controls.tsx'
import { Field, FormActions } from '../../ui/form/field.tsx'
import { EmptyState, ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import { Card, Page, Stack } from '../../ui/page/page.tsx'
import { describeMapping, missingRoles } from './dataset-words.ts'
import { type DatasetChoice, KindField, MappingFields, meaningOf, ZoneField } from './mapping-fields.tsx'
import { readSamples, type SampledSource } from './sampled-columns.ts'

const route = getRouteApi('/$workspaceId/datasets/new')

/** Says what the columns of an uploaded file mean, so that buildings are counted from it. */
export function NewDatasetPage() {
  const { source } = route.useSearch()
  return (
    <Page
      title="See utilization"
      description="Say what the columns of your file mean. Then people are counted by place and day."
      parent={
        source === undefined
          ? { label: 'Data', link: { to: '/$workspaceId/data' } }
          : { label: 'File', link: { to: '/$workspaceId/data/$sourceId', params: { sourceId: source } } }
      }
    >
      <MissingScopeNotice action="count files" scope="solutions:write" />
      {source === undefined ? <SourceChoice /> : <Meaning key={source} sourceId={source} />}
    </Page>
  )
}

function SourceChoice() {
  const workspaceId = useWorkspaceId()
  const navigate = useNavigate()
  const { data, error, refetch } = useApiQuery(['data', 'sources', 'choice'], (api, options) =>
    api.data.listSources({ query: { limit: 100 } }, options),
  )
  if (error) return <ErrorMessage error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height="8rem" />
  if (data.items.length === 0)
    return (
      <EmptyState
        icon="upload"
        title="No file yet"
        actions={
          <ButtonLink variant="primary" to="/$workspaceId/data/new">
            Upload a file
          </ButtonLink>
        }
      >
        Badge events, bookings, people counts or a list of floors: a file from Excel is enough.
      </EmptyState>
    )
  return (
    <Card>
      <Field label="File">
        <Select
          value=""
          options={[
            { value: '', label: 'Choose a file' },
            ...data.items.map(({ data_source_id: value, name }) => ({ value, label: name })),
          ]}
          onChange={(event) =>
            void navigate({
              to: '/$workspaceId/datasets/new',
              params: { workspaceId },
              search: { source: event.target.value },
            })
          }
        />
      </Field>
    </Card>
  )
}

function Meaning({ sourceId }: { sourceId: string }) {
  const { data, error, refetch } = useApiQuery(['data', 'source', sourceId, 'samples'], readSamples(sourceId))
  if (error) return <ErrorMessage error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height="16rem" />
  return <MeaningForm sourceId={sourceId} source={data} />
}

function MeaningForm({ sourceId, source: { name, columns } }: { sourceId: string; source: SampledSource }) {
  const { api, workspaceId } = useWorkspace()
  const can = useCan()
  const leadOn = useLeadOn()
  const { kind: asked } = route.useSearch()
  const [choice, setChoice] = useState<DatasetChoice>(() =>
    asked === undefined
      ? (recognizeDataset(columns) ?? { kind: undefined, mapping: {} })
      : { kind: asked, mapping: mapRoles(columns, asked) },
  )
  const { kind, mapping } = choice
  const missing = kind === undefined ? [] : missingRoles(kind, mapping)
  const create = useMutation({
    mutationFn: async () => {
      if (kind === undefined) return
      const body = { name, kind, data_source_id: sourceId, ...meaningOf(choice) }
      const { id: datasetId } = await api.solutions.createDataset({ body })
      await leadOn({
        to: '/$workspaceId/datasets/$datasetId',
        params: { workspaceId, datasetId },
        search: { next: 'show' },
      })
    },
  })
  return (
    <Card title={name} description={kind === undefined ? undefined : describeMapping(kind, mapping)}>
      <Stack>
        <KindField columns={columns} choice={choice} onChange={setChoice} noneLabel="Choose what the file has" />
        {kind !== undefined && (
          <MappingFields
            columns={columns}
            kind={kind}
            mapping={mapping}
            onChange={(changed) => setChoice({ ...choice, mapping: changed })}
          />
        )}
        <ZoneField choice={choice} onChange={setChoice} />
        {columns.every(({ examples }) => examples?.length === 0) && (
          <p>
            The rows are protected, so columns were matched by their names alone.
            {kind === 'badge_events' &&
              ' Choose the column that says in or out, if there is one: without it people count as in until the building closes.'}
          </p>
        )}
        {missing.length > 0 && <p role="status">Still needed: {missing.join(', ')}.</p>}
        {create.error && <ErrorMessage error={create.error} />}
        <FormActions>
          <Button
            variant="primary"
            isBusy={create.isPending}
            disabled={kind === undefined || missing.length > 0 || !can('solutions:write')}
            onClick={() => create.mutate()}
          >
            See utilization
          </Button>
          <Link to="/$workspaceId/data/$sourceId" params={{ sourceId }}>
            Cancel
          </Link>
        </FormActions>
      </Stack>
    </Card>
  )
}
