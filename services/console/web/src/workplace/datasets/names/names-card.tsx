import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useApiQuery } from '../../../session/workspace-context.tsx'
import { formatNumber } from '../../../ui/format/format.ts'
import { EmptyState } from '../../../ui/message/message.tsx'
import { Card } from '../../../ui/page/page.tsx'
import type { Column } from '../../../ui/table/data-table.tsx'
import { PagedTable } from '../../../ui/table/paged-table.tsx'
import type { DatasetValue } from '../dataset-words.ts'
import { type KnownSpace, labelSpaces } from './space-labels.ts'

const route = getRouteApi('/$workspaceId/datasets/$datasetId')

const matchWords: Readonly<Record<DatasetValue['matched_by'], string>> = {
  map: 'Chosen',
  external_id: 'Same short name',
  name: 'Same name',
  none: 'Not known yet',
  left_out: 'Left out',
}

/** The names of places and teams in a file, with what each stands for. */
export function NamesCard({
  datasetId,
  names,
  version,
}: {
  datasetId: string
  names: { spaces: readonly KnownSpace[]; teams: readonly { id: string; name: string }[] } | undefined
  /** Changes with the dataset. */
  version: string
}) {
  const { cursor } = route.useSearch()
  const { data, error, refetch } = useApiQuery(
    ['workplace', 'dataset', datasetId, 'values', cursor, version, names === undefined],
    (api, options) =>
      api.solutions.listDatasetValues({ params: { id: datasetId }, query: { limit: 25, cursor } }, options),
    { placeholderData: keepPreviousData },
  )
  const teams = (names?.teams ?? []).map(({ id, name }) => [id, name] as const)
  const known = new Map([...labelSpaces(names?.spaces ?? []), ...teams])
  const columns: readonly Column<DatasetValue>[] = [
    { header: 'Name in the file', cell: ({ value }) => value },
    { header: 'Stands for', cell: ({ mapped_to: id }) => (id === null ? '–' : (known.get(id) ?? '…')) },
    { header: 'Kind', cell: ({ role }) => (role === 'team' ? 'Team' : 'Place') },
    { header: 'Why', cell: ({ matched_by: by }) => matchWords[by] },
    { header: 'Rows', align: 'end', cell: ({ rows }) => formatNumber(rows) },
  ]
  return (
    <Card title="Names in the file" isFlush>
      <PagedTable
        label="Names in the file"
        columns={columns}
        page={{ data, error, refetch }}
        noun="names"
        rowKey={({ role, value }) => `${role} ${value}`}
        empty={
          <EmptyState icon="data" title="No names yet">
            The names of places and teams appear here when the rows have been read.
          </EmptyState>
        }
      />
    </Card>
  )
}
