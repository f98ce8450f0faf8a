import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useApiQuery, useCan, useWorkspace } from '../session/workspace-context.tsx'
import { filesToReview, replaceFilesToReview } from '../shell/files-to-review-notice.tsx'
import { ListFilters } from '../ui/filter/list-filters.tsx'
import { Checkbox } from '../ui/form/controls.tsx'
import { mergePatch } from '../ui/form/merge-patch.ts'
import { formatDateTime, formatDay } from '../ui/format/format-time.ts'
import { useReader } from '../ui/format/reader.ts'
import { Callout, EmptyState, ErrorMessage } from '../ui/message/message.tsx'
import { Card, Stack } from '../ui/page/page.tsx'
import type { Column } from '../ui/table/data-table.tsx'
import { PagedTable } from '../ui/table/paged-table.tsx'
import { Time } from '../ui/values/values.tsx'
import styles from './shared/data.module.css'
import { type DataRecord, type Source, sourceKey, sourceQuery } from './shared/queries.ts'
import { nameField, recordName } from './shared/record-name.ts'
import { formatFieldValue } from './shared/source-words.ts'
import { FileDrop } from './uploads/file-drop.tsx'
import { replaceDays } from './uploads/review/file-words.ts'
import type { ChosenFiles } from './uploads/review/preview/preview-values.ts'
import type { AcceptedReading } from './uploads/review/review-props.ts'
import { UploadReview } from './uploads/review/upload-review.tsx'
import { startUploads } from './uploads/uploads.ts'

const route = getRouteApi('/$workspaceId/data/$sourceId/')
const maxColumns = 5

/** The records of a source, with columns from its data. */
export function SourceRecordsPage() {
  const { api, workspaceId } = useWorkspace()
  const can = useCan()
  const { sourceId } = route.useParams()
  const search = route.useSearch()
  const { data: source } = useQuery(sourceQuery(api, workspaceId, sourceId))
  const isProtected = source?.record_access === 'aggregates'
  const { data, error, refetch } = useApiQuery(
    ['data', 'source', sourceId, 'records', search, source?.record_count === 0],
    (api, options) => api.data.listRecords({ params: { data_source_id: sourceId }, query: search }, options),
    {
      placeholderData: keepPreviousData,
      // A refused request would be recorded in the audit log.
      enabled: source !== undefined && !isProtected,
    },
  )
  const columns = useMemo(() => columnsOf(source?.schema ?? [], data?.items ?? []), [source?.schema, data?.items])
  return (
    <>
      {source?.provider === 'upload' && can('data:write') && <UploadCard key={sourceId} source={source} />}
      {isProtected ? (
        <Card>
          <EmptyState icon="key" title="The people in these rows are protected">
            No one can open single rows, neither here nor by the API. Only counts are made from them.
          </EmptyState>
        </Card>
      ) : (
        <Card isFlush>
          {(search.key !== undefined || (source?.config.key && data && data.items.length > 0)) && (
            <ListFilters
              filters={[
                {
                  name: 'key',
                  label: 'Value of the identifying column',
                  placeholder: 'The whole value that identifies a row',
                  isSearch: true,
                },
              ]}
            />
          )}
          <PagedTable
            columns={columns}
            page={{ data, error, refetch }}
            noun="rows"
            rowKey={({ record_id }) => record_id}
            rowLink={({ record_id: recordId }) => ({
              to: '/$workspaceId/data/records/$recordId',
              params: { recordId },
            })}
            empty={search.key === undefined ? <NoRecords source={source} /> : <NoMatch />}
          />
        </Card>
      )}
    </>
  )
}

/**
 * The title or key, the first fields of the schema that it does not repeat, and the time of the last change. Rows that
 * have neither title nor key begin with their fields.
 */
function columnsOf(schema: Source['schema'], records: readonly DataRecord[]): Column<DataRecord>[] {
  const isNamed = records.some((record) => nameField(record, schema) === undefined)
  const fields = schema.filter(({ name }) => !/^(title|name|key|id|url)$/i.test(name)).slice(0, maxColumns)
  return [
    ...(isNamed || fields.length === 0
      ? [
          {
            header: 'Row',
            cell: (record: DataRecord) => <span className={styles.name}>{recordName(record, schema)}</span>,
          },
        ]
      : []),
    ...fields.map(
      ({ name, type }, index): Column<DataRecord> => ({
        header: name,
        ...(type === 'number' && { align: 'end' }),
        cell: ({ data }) => {
          const cell = <FieldCell value={data[name]} type={type} />
          return isNamed || index > 0 ? cell : <span className={styles.name}>{cell}</span>
        },
      }),
    ),
    { header: 'Changed', isNarrow: true, cell: ({ updated_at }) => <Time value={updated_at} /> },
  ]
}

/** A value in at most two lines; a time in the zone of the reader. */
function FieldCell({ value, type }: { value: unknown; type: Source['schema'][number]['type'] }) {
  const reader = useReader()
  const text = formatFieldValue(value)
  if (type === 'timestamp' && typeof value === 'string' && isInstant(value))
    return <Time value={value} format="absolute" />
  const [local, time] = (type === 'timestamp' && localTime.exec(text)) || []
  if (local !== undefined)
    return (
      <span className="nowrap" title={text}>
        {time === undefined
          ? formatDay(local, reader)
          : formatDateTime(new Date(`${local}Z`), { ...reader, timeZone: 'UTC' })}
      </span>
    )
  return <span className={styles.cell}>{text}</span>
}

const localTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d)?/

/** A time without a zone is none that can be converted. */
const isInstant = (text: string): boolean => /[Zz]$|[+-]\d\d:?\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

const NoMatch = () => (
  <EmptyState icon="filter" title="No row has this value">
    The filter matches whole values of the column that identifies a row. To find rows by their content, use search.
  </EmptyState>
)

const NoRecords = ({ source }: { source: Source | undefined }) =>
  source && (
    <EmptyState icon="data" title="No rows yet">
      {source.provider === 'upload' ? 'Drop a file above.' : 'Start a sync above.'}
    </EmptyState>
  )

/** Uploads files to an upload source. They are reviewed first, read with the format of the source. */
function UploadCard({ source }: { source: Source }) {
  const { workspaceId } = useWorkspace()
  const [chosen, setChosen] = useState(() => offeredFor(source.data_source_id))
  const end = () => {
    if (chosen !== undefined) replaceFilesToReview(workspaceId, chosen.files, [])
    setChosen(undefined)
  }
  if (chosen !== undefined) return <SourceUpload key={chosen.id} source={source} chosen={chosen} onEnd={end} />
  return (
    <Card title="Upload files">
      <FileDrop onChoose={setChosen} isCompact />
    </Card>
  )
}

/** Returns the file with which a person took the offer of a new file to go to this source. */
function offeredFor(sourceId: string): ChosenFiles | undefined {
  const { file, source: offer } = filesToReview.get().find(({ source }) => source?.id === sourceId) ?? {}
  return file && { id: crypto.randomUUID(), files: [file], isDocument: false, mode: offer?.mode }
}

/** Which records a file replaces that it does not contain. */
const replacements = [
  { mode: 'period', label: replaceDays, hint: 'Other records from its first to its last day are deleted.' },
  { mode: 'full', label: 'Replace all records', hint: 'Records that the file does not contain are deleted.' },
] as const

function SourceUpload({ source, chosen, onEnd }: { source: Source; chosen: ChosenFiles; onEnd: () => void }) {
  const { api, workspaceId } = useWorkspace()
  const client = useQueryClient()
  const [mode, setMode] = useState(chosen.mode ?? 'incremental')
  const sourceId = source.data_source_id
  const start = useMutation({
    mutationFn: async ({ format, isFormatChanged }: AcceptedReading) => {
      if (format === undefined || !isFormatChanged) return
      const config = mergePatch(source.config, { ...source.config, format })
      await api.data.updateSource({ params: { data_source_id: sourceId }, body: { config } })
      await client.invalidateQueries({ queryKey: sourceKey(workspaceId, sourceId) })
    },
    onSuccess: (_, { isDocument, suggestions }) => {
      startUploads({ workspaceId, sourceId, isNewSource: false, mode, isDocument, suggestions }, chosen.files)
      onEnd()
    },
  })
  // Each of several files would delete the records of the one before.
  const canReplace = source.record_count > 0 && chosen.files.length === 1
  return (
    <UploadReview
      chosen={chosen}
      sourceId={sourceId}
      onCancel={onEnd}
      onUpload={start.mutate}
      isBusy={start.isPending}
      uploadError={start.error && <ErrorMessage error={start.error} />}
      renderFields={(_, isFormatChanged) => (
        <Stack>
          {isFormatChanged && (
            <Callout>
              Files of this source are read in the corrected way from now on. Records that are stored already do not
              change.
            </Callout>
          )}
          {canReplace &&
            replacements.map(({ mode: own, ...words }) => (
              <Checkbox
                key={own}
                {...words}
                checked={mode === own}
                onChange={(event) => setMode(event.target.checked ? own : 'incremental')}
              />
            ))}
        </Stack>
      )}
    />
  )
}
