import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { sessionQuery } from '../session/session.ts'
import { useApi, useCan, useWorkspaceId } from '../session/workspace-context.tsx'
import { CodeBlock } from '../ui/data/code-block.tsx'
import { Time } from '../ui/data/time.tsx'
import { FilterBar, TextFilter } from '../ui/form/filter-bar.tsx'
import { EmptyState } from '../ui/message/empty-state.tsx'
import { Card } from '../ui/page/page.tsx'
import { type Column, DataTable } from '../ui/table/data-table.tsx'
import { Pager } from '../ui/table/pager.tsx'
import styles from './shared/data.module.css'
import { formatFieldValue } from './shared/field-value.ts'
import { type DataRecord, type Source, sourceKey, sourceQuery } from './shared/queries.ts'
import { UploadCard } from './uploads/upload-card.tsx'

const route = getRouteApi('/$workspaceId/data/$sourceId/')
const maxColumns = 5

/** The records of a source, with columns from its data. */
export function SourceRecordsPage() {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const can = useCan()
  const { sourceId } = route.useParams()
  const search = route.useSearch()
  const navigate = useNavigate()
  const { data: source } = useQuery(sourceQuery(api, workspaceId, sourceId))
  const { data, error, refetch } = useQuery({
    queryKey: [...sourceKey(workspaceId, sourceId), 'records', search, source?.record_count === 0],
    queryFn: ({ signal }) => api.data.listRecords({ params: { data_source_id: sourceId }, query: search }, { signal }),
    placeholderData: keepPreviousData,
  })
  const columns = useMemo(() => columnsOf(source?.schema ?? []), [source?.schema])
  const setKey = (key: string | undefined) =>
    void navigate({ to: '.', search: (key === undefined ? {} : { key }) as never, replace: true }) // the parameters of this page
  return (
    <>
      {source?.provider === 'upload' && can('data:write') && <UploadCard source={source} />}
      <Card isFlush>
        {(search.key !== undefined || (data && data.items.length > 0)) && (
          <FilterBar onClear={search.key === undefined ? undefined : () => setKey(undefined)}>
            <TextFilter
              label="Key"
              isSearch
              value={search.key}
              onChange={setKey}
              placeholder="The whole key of a record"
            />
          </FilterBar>
        )}
        <DataTable
          label="Records"
          columns={columns}
          rows={data?.items}
          rowKey={({ record_id }) => record_id}
          rowLink={({ record_id: recordId }) => ({
            to: '/$workspaceId/data/records/$recordId',
            params: { workspaceId, recordId },
          })}
          error={error}
          onRetry={refetch}
          empty={search.key === undefined ? <NoRecords source={source} /> : <NoMatch />}
          footer={
            <Pager
              cursor={search.cursor}
              nextCursor={data?.nextCursor ?? null}
              shown={data?.items.length ?? 0}
              noun="records"
            />
          }
        />
      </Card>
    </>
  )
}

/** The title or key, the first fields of the schema that it does not repeat, and the time of the last change. */
function columnsOf(schema: Source['schema']): Column<DataRecord>[] {
  const fields = schema.filter(({ name }) => !/^(title|name|key|id|url)$/i.test(name)).slice(0, maxColumns)
  return [
    { header: 'Record', cell: ({ title, key }) => <span className={styles.name}>{title ?? key}</span> },
    ...fields.map(
      ({ name, type }): Column<DataRecord> => ({
        header: name,
        ...(type === 'number' && { align: 'end' }),
        cell: ({ data }) => <FieldCell value={data[name]} type={type} />,
      }),
    ),
    { header: 'Changed', isNarrow: true, cell: ({ updated_at }) => <Time value={updated_at} /> },
  ]
}

/** A value in at most two lines; a time in the zone of the reader. */
function FieldCell({ value, type }: { value: unknown; type: Source['schema'][number]['type'] }) {
  const text = formatFieldValue(value)
  if (type === 'timestamp' && typeof value === 'string' && isInstant(value))
    return <Time value={value} format="absolute" />
  return <span className={styles.cell}>{text}</span>
}

/** A time without a zone is none that can be converted. */
const isInstant = (text: string): boolean => /[Zz]$|[+-]\d\d:?\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

const NoMatch = () => (
  <EmptyState icon="filter" title="No record has this key">
    The filter matches whole keys. To find records by their content, use search.
  </EmptyState>
)

function NoRecords({ source }: { source: Source | undefined }) {
  const { data: session } = useQuery(sessionQuery)
  if (source === undefined) return null
  const base = `${session?.public_base_url ?? ''}/v1/data/sources/${source.data_source_id}`
  const code =
    source.provider === 'upload'
      ? `curl "${base}/records" \\\n  -H "x-api-key: $API_KEY" -H "content-type: text/csv" \\\n  --data-binary @file.csv`
      : `curl -X POST "${base}/sync/start" \\\n  -H "x-api-key: $API_KEY" -H "content-type: application/json" -d '{}'`
  return (
    <EmptyState icon="data" title="No records yet" snippet={<CodeBlock label="curl" code={code} />}>
      {source.provider === 'upload' ? 'Drop a file above, or upload by the API:' : 'Start a sync above, or by the API:'}
    </EmptyState>
  )
}
