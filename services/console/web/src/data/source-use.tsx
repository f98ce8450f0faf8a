import { useApiQuery, useCan } from '../session/workspace-context.tsx'
import { ButtonLink, Link } from '../ui/button/button-link.tsx'
import { formatCount, formatNumber } from '../ui/format/format.ts'
import { Skeleton } from '../ui/message/message.tsx'
import { Card, Cluster } from '../ui/page/page.tsx'
import { kindWords } from '../workplace/datasets/dataset-words.ts'
import type { Source } from './shared/queries.ts'

const pollMs = 3_000
/** A refresh that has failed would be waited for as long as the page is open. */
const maxPolls = 100

/** Leads from the rows of a source to what they are for: the buildings counted from them, and forecasts. */
export function SourceUse({ source: { data_source_id: source, schema, record_count: count } }: { source: Source }) {
  const can = useCan()
  const { data: datasets, isError } = useApiQuery(
    ['workplace', 'datasets', source],
    (api, options) => api.solutions.listDatasets({ query: { data_source_id: source, limit: 20 } }, options),
    {
      enabled: can('solutions:read') && count > 0,
      // Rows of an upload are counted after it has ended.
      refetchInterval: ({ state: { data, dataUpdateCount } }) =>
        dataUpdateCount < maxPolls && data?.items.some(({ rows }) => rows.read !== count) ? pollMs : false,
    },
  )
  if (count === 0 || !can('solutions:read') || isError) return null
  // Rows without numbers are counted.
  const counted = schema.some(({ type }) => type === 'number') ? {} : { aggregation: 'count' as const }
  const hasTimes = schema.some(({ type }) => type === 'timestamp')
  // Neither a list of people nor one of places has a value that goes on.
  const isList =
    datasets?.items.every(({ kind }) => kind === 'people' || kind === 'spaces') && datasets.items.length > 0
  const isCounted = datasets !== undefined && datasets.items.length > 0
  return (
    <Card
      title="What these rows are used for"
      actions={
        <Cluster>
          {datasets !== undefined && !isCounted && can('solutions:write') && (
            <ButtonLink to="/$workspaceId/datasets/new" search={{ source }}>
              Use for buildings
            </ButtonLink>
          )}
          {hasTimes && !isList && can('solutions:run') && (
            <ButtonLink variant="primary" to="/$workspaceId/forecasts/new" search={{ source, ...counted }}>
              Forecast this data
            </ButtonLink>
          )}
        </Cluster>
      }
    >
      {isCounted ? (
        <ul>
          {datasets.items.map(({ id: datasetId, kind, rows }) => (
            <li key={datasetId}>
              <Link to="/$workspaceId/datasets/$datasetId" params={{ datasetId }}>
                {kindWords[kind].label}
              </Link>
              : {formatNumber(rows.used)} of {formatCount(Math.max(rows.read, count), 'row')} counted
              {rows.read < count && ' so far'}
            </li>
          ))}
        </ul>
      ) : (
        <p>{datasets === undefined ? <Skeleton width="16rem" height="1lh" /> : 'Nothing is counted from them yet.'}</p>
      )}
    </Card>
  )
}
