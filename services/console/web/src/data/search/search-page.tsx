import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useCallback, useRef } from 'react'
import { useApiQuery, useWorkspace } from '../../session/workspace-context.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { Callout, EmptyState, ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import { Card, Page } from '../../ui/page/page.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { dataKey, type Source } from '../shared/queries.ts'
import styles from './search.module.css'
import { Facets, SearchBar } from './search-bar.tsx'
import { SearchHit } from './search-hit.tsx'
import { type FacetValue, facetFields, type SearchParams } from './search-params.ts'

const route = getRouteApi('/$workspaceId/search')

/** Searches the records of the workspace. Query, filters and page are in the address. */
export function SearchPage() {
  const params = route.useSearch()
  const navigate = useNavigate()
  const container = useRef<HTMLDivElement>(null)
  const { data: sources } = useApiQuery(['data', 'searchable-sources'], (api, options) =>
    api.data.listSources({ query: { limit: 100 } }, options),
  )
  const isAsked = params.q !== undefined || params.filters !== undefined
  const results = useSearch(params, sources?.items, isAsked)
  const change = useCallback(
    (part: Partial<Record<keyof SearchParams, unknown>>) =>
      void navigate({
        to: '.',
        search: ((previous: SearchParams) => ({ ...previous, cursor: undefined, ...part })) as never, // parameters of this page
        replace: true,
      }),
    [navigate],
  )
  return (
    <Page title="Search" description="Finds records of all sources by words, phrases in quotes, or meaning.">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between fields and links, which are interactive */}
      <div ref={container} className={styles.page} onKeyDown={(event) => moveFocus(event, container.current)}>
        <SearchBar params={params} sources={sources?.items ?? []} onChange={change} />
        {!isAsked ? (
          <Start hasData={sources === undefined || sources.items.some(({ record_count }) => record_count > 0)} />
        ) : (
          <Results params={params} results={results} sources={sources?.items ?? []} onChange={change} />
        )}
      </div>
    </Page>
  )
}

type Results = ReturnType<typeof useSearch>

function useSearch(params: SearchParams, sources: readonly Source[] | undefined, isAsked: boolean) {
  const { api, workspaceId } = useWorkspace()
  const searched = sources?.filter(
    ({ data_source_id }) => params.source === undefined || data_source_id === params.source,
  )
  const facets = facetFields(searched ?? [])
  return useQuery({
    queryKey: [...dataKey(workspaceId), 'search', params, facets],
    enabled: isAsked && sources !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const filters = Object.entries(params.filters ?? {}).map(([field, values]): [string, { in: FacetValue[] }] => [
        field,
        { in: [...values] },
      ])
      return api.data.searchRecords(
        {
          body: {
            highlight: true,
            ...(params.q !== undefined && { query: params.q, mode: params.mode ?? 'lexical' }),
            ...(params.source !== undefined && { data_source_ids: [params.source] }),
            ...(params.cursor !== undefined && { cursor: params.cursor }),
            ...(filters.length > 0 && { filters: Object.fromEntries(filters) }),
            ...(facets.length > 0 && { facets }),
          },
        },
        { signal },
      )
    },
  })
}

function Results({
  params,
  results: { data, error, refetch },
  sources,
  onChange,
}: {
  params: SearchParams
  results: Results
  sources: readonly Source[]
  onChange: (part: Partial<Record<keyof SearchParams, unknown>>) => void
}) {
  if (error) return <ErrorMessage error={error} onRetry={refetch} />
  if (data === undefined)
    return (
      <Card>
        <Skeleton height="14rem" />
      </Card>
    )
  const { items, meta, nextCursor } = data
  return (
    <div className={styles.columns}>
      <Facets
        facets={meta?.facets ?? {}}
        filters={params.filters ?? {}}
        onChange={(filters) => onChange({ filters })}
      />
      <section aria-label="Results" className={styles.results}>
        <div className="secondary" role="status">
          {meta?.total === undefined
            ? `${formatCount(items.length, 'record')} on this page`
            : `${formatCount(meta.total, 'record')} found`}
          {meta && params.mode !== undefined && meta.mode_used !== params.mode && `, searched by words`}
        </div>
        {meta?.warnings.map(({ code, message }) => (
          <Callout key={`${code} ${message}`} tone="warning">
            {message}
          </Callout>
        ))}
        <Card isFlush>
          {items.length === 0 ? (
            <EmptyState icon="search" title="No record matches">
              {params.filters === undefined
                ? 'Try fewer or other words. The search knows the stems of words, so running also finds run.'
                : 'Remove a filter, or try other words.'}
            </EmptyState>
          ) : (
            <ol className={styles.list}>
              {items.map((hit) => (
                <SearchHit
                  key={hit.record_id}
                  hit={hit}
                  mode={meta?.mode_used ?? 'lexical'}
                  sourceName={sources.find(({ data_source_id }) => data_source_id === hit.data_source_id)?.name}
                />
              ))}
            </ol>
          )}
          <Pager nextCursor={nextCursor} shown={items.length} noun="records" />
        </Card>
        <p className={styles.keys}>Arrow keys move through the results, Enter opens one.</p>
      </section>
    </div>
  )
}

function Start({ hasData }: { hasData: boolean }) {
  return (
    <Card>
      <EmptyState
        icon="search"
        title={hasData ? 'Search your records' : 'Nothing to search yet'}
        actions={
          !hasData && (
            <ButtonLink variant="primary" to="/$workspaceId/data/new">
              Add data
            </ButtonLink>
          )
        }
      >
        {hasData ? 'Any of the words may match; the last one also as the beginning of a word.' : 'Add data first.'}
      </EmptyState>
    </Card>
  )
}

/** Moves the focus between the search field and the results by the arrow keys. */
function moveFocus(event: KeyboardEvent, container: HTMLElement | null): void {
  if (container === null || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
  const stops = [...container.querySelectorAll<HTMLElement>('input[type="search"], [data-hit]')]
  const current = stops.findIndex((stop) => stop.matches(':focus'))
  if (current < 0) return
  const next = stops[current + (event.key === 'ArrowDown' ? 1 : -1)]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}
