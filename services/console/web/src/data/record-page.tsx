import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useApiQuery, useCan, useWorkspace } from '../session/workspace-context.tsx'
import { Button, CopyButton } from '../ui/button/button.tsx'
import { ConfirmedAction } from '../ui/dialog/confirm-dialog.tsx'
import { isolate, toSafeUrl } from '../ui/format/untrusted-text.ts'
import { ErrorMessage, Skeleton } from '../ui/message/message.tsx'
import { showSuccess } from '../ui/message/toast.ts'
import { Card, Page } from '../ui/page/page.tsx'
import { DefinitionList, Id, SafeLink, Time } from '../ui/values/values.tsx'
import styles from './shared/data.module.css'
import { type DataRecord, dataKey, type Source, sourceQuery } from './shared/queries.ts'
import { recordName } from './shared/record-name.ts'
import { formatFieldValue } from './shared/source-words.ts'

const route = getRouteApi('/$workspaceId/data/records/$recordId')

/** A record with all its fields. */
export function RecordPage() {
  const { api, workspaceId } = useWorkspace()
  const can = useCan()
  const { recordId } = route.useParams()
  const {
    data: read,
    error,
    refetch,
  } = useApiQuery(['data', 'record', recordId], (api, options) =>
    api.data.getRecord({ params: { record_id: recordId } }, options),
  )
  const sourceId = read?.data_source_id ?? ''
  const { data: source, isLoading: isSourceLoading } = useQuery({
    ...sourceQuery(api, workspaceId, sourceId),
    enabled: sourceId !== '',
  })
  // Its schema names the record, and a longer title would move the page.
  const record = isSourceLoading ? undefined : read
  const parent = source
    ? { label: source.name, link: { to: '/$workspaceId/data/$sourceId', params: { sourceId } } as const }
    : { label: 'Data', link: { to: '/$workspaceId/data' } as const }
  return (
    <Page
      title={record ? recordName(record, source?.schema ?? []) : 'Record'}
      parent={parent}
      actions={
        record && (
          <>
            <CopyButton value={JSON.stringify(record.data, undefined, 2)} label="Copy JSON" withText />
            {can('data:write') && <DeleteRecord record={record} name={recordName(record, source?.schema ?? [])} />}
          </>
        )
      }
    >
      {error ? (
        <ErrorMessage error={error} onRetry={refetch} />
      ) : record ? (
        <Details record={record} schema={source?.schema ?? []} />
      ) : (
        <Skeleton height="16rem" />
      )}
    </Page>
  )
}

/** The fields are in the order of the schema, which is that of the file or query; others follow. */
function Details({ record, schema }: { record: DataRecord; schema: Source['schema'] }) {
  const order = new Map(schema.map(({ name }, index) => [name, index]))
  const place = (name: string) => order.get(name) ?? schema.length
  const fields = Object.entries(record.data).toSorted(([left], [right]) => place(left) - place(right))
  return (
    <>
      <Card title="Fields">
        <dl className={styles.fields}>
          {fields.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <FieldValue value={value} />
              </dd>
            </div>
          ))}
        </dl>
      </Card>
      <Card title="Record">
        <DefinitionList
          items={[
            ['Id', <Id key="id" value={record.record_id} />],
            ['Key', <Id key="key" value={record.key} label="Copy key" />],
            record.url !== null && ['Address', <SafeLink key="url" address={record.url} />],
            Boolean(record.occurred_at) && ['Time', <Time key="time" value={record.occurred_at} format="absolute" />],
            ['Created', <Time key="created" value={record.created_at} format="absolute" />],
            ['Changed', <Time key="changed" value={record.updated_at} format="absolute" />],
          ]}
        />
      </Card>
    </>
  )
}

function FieldValue({ value }: { value: unknown }) {
  const text =
    typeof value === 'object' && value !== null ? JSON.stringify(value, undefined, 2) : formatFieldValue(value)
  if (text === '') return <span className="muted">{value === '' ? 'empty text' : 'none'}</span>
  return toSafeUrl(text) === undefined ? text : <SafeLink address={text} />
}

function DeleteRecord({ record, name }: { record: DataRecord; name: string }) {
  const { api, workspaceId } = useWorkspace()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { record_id, data_source_id: sourceId } = record
  return (
    <ConfirmedAction
      control={(ask) => (
        <Button icon="trash" size="small" onClick={ask}>
          Delete
        </Button>
      )}
      title="Delete this record everywhere"
      confirmLabel="Delete record"
      onConfirm={async () => {
        await api.data.deleteRecord({ params: { record_id } })
        await navigate({ to: '/$workspaceId/data/$sourceId', params: { workspaceId, sourceId } })
        client.removeQueries({ queryKey: [...dataKey(workspaceId), 'record', record_id] })
        await client.invalidateQueries({ queryKey: dataKey(workspaceId) })
        showSuccess('Record deleted')
      }}
    >
      <strong>{isolate(name)}</strong> is erased at once: the record, its words in search, and its embeddings. Backups
      keep it until they expire. A sync or upload that reads its row again creates it again. This cannot be undone.
    </ConfirmedAction>
  )
}
