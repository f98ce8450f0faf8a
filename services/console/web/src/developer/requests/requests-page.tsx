import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { changeSearch } from '../../api/search-params.ts'
import { usePrincipalNames } from '../../names/resource-names.ts'
import { useApiQuery, useBaseUrl } from '../../session/workspace-context.tsx'
import { AreaTabs } from '../../shell/area-tabs.tsx'
import { FilterBar, SelectFilter, TextFilter } from '../../ui/filter/filter-bar.tsx'
import { formatDuration } from '../../ui/format/format.ts'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { EmptyState } from '../../ui/message/message.tsx'
import { Card, Cluster, Page } from '../../ui/page/page.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { PagedTable } from '../../ui/table/paged-table.tsx'
import { Snippets } from '../../ui/values/code-block.tsx'
import { Badge, Time } from '../../ui/values/values.tsx'
import { apiKeySnippets } from '../shared/snippets.ts'
import { useCallers } from './callers.ts'
import { RequestDrawer } from './request-drawer.tsx'
import { type RequestView, toneOfStatus } from './request-status.ts'
import styles from './requests.module.css'

const route = getRouteApi('/$workspaceId/developer/requests')

const pageSize = 50
const pollMs = 5_000

/** The recent API requests of the workspace; of programs, unless people are asked for. */
export function RequestsPage() {
  const baseUrl = useBaseUrl()
  const search = route.useSearch()
  const { cursor, look, by, caller, ...filters } = search
  const navigate = route.useNavigate()
  const callers = useCallers()
  const query = {
    ...filters,
    cursor,
    principal: caller,
    // a caller who was chosen may be a person
    ...(by !== 'all' && caller === undefined && { callers: by ?? ('programs' as const) }),
    limit: pageSize,
  }
  const page = useApiQuery(['requests', query], (api, options) => api.audit.listRequests({ query }, options), {
    refetchInterval: cursor === undefined ? pollMs : false,
    placeholderData: (previous) => previous,
  })
  const nameOf = usePrincipalNames(page.data?.items.map(({ principal }) => principal.id) ?? [])
  const change = useCallback(
    (part: Partial<Record<keyof typeof search, string | undefined>>) =>
      void navigate({
        search: changeSearch(search, { cursor: undefined, look: undefined, ...part } as never),
        replace: true,
      }), // values of the filters below
    [navigate, search],
  )
  const setText = useCallback((q: string | undefined) => change({ q }), [change])
  const isFiltered = [caller, by, filters.q, filters.status, filters.method].some((value) => value !== undefined)
  const looked = page.data?.items.find(({ id }) => id === look)
  return (
    <Page
      title="Developer"
      description="The API requests of the last 7 days. Queries, headers and bodies are never recorded."
    >
      <AreaTabs area="Developer" />
      <Card isFlush>
        <FilterBar
          onClear={
            isFiltered
              ? () => change({ q: undefined, caller: undefined, by: undefined, status: undefined, method: undefined })
              : undefined
          }
        >
          <TextFilter
            isSearch
            label="Search"
            placeholder="Part of a path or a request id"
            value={filters.q}
            onChange={setText}
          />
          <SelectFilter
            label="Caller"
            value={caller ?? by}
            all="All programs"
            options={[
              { value: 'users', label: 'People, in the console' },
              { value: 'all', label: 'Programs and people' },
              ...callers,
            ]}
            onChange={(value) => {
              const isGroup = value === 'users' || value === 'all'
              change({ by: isGroup ? value : undefined, caller: isGroup ? undefined : value })
            }}
          />
          <SelectFilter
            label="Result"
            value={filters.status}
            options={[
              { value: '2xx', label: 'Succeeded' },
              { value: '4xx', label: 'Refused (4xx)' },
              { value: '5xx', label: 'Failed (5xx)' },
            ]}
            onChange={(status) => change({ status })}
          />
          <SelectFilter
            label="Method"
            value={filters.method}
            options={['GET', 'POST', 'PATCH', 'DELETE']}
            onChange={(method) => change({ method })}
          />
        </FilterBar>
        <PagedTable
          columns={columnsFor(nameOf)}
          page={page}
          noun="requests"
          rowKey={({ id }) => id}
          rowLink={({ id }) => ({
            to: '/$workspaceId/developer/requests',
            search: { ...search, look: id },
            resetScroll: false,
          })}
          empty={
            isFiltered ? (
              <EmptyState icon="filter" title="No request matches the filters" />
            ) : (
              <EmptyState
                icon="bolt"
                title="No requests yet"
                snippet={<Snippets label="Call the API" snippets={apiKeySnippets(baseUrl)} />}
              >
                Each call of the API appears here a few seconds after its response.
              </EmptyState>
            )
          }
        />
      </Card>
      {looked && <RequestDrawer request={looked} nameOf={nameOf} onClose={() => change({ look: undefined, cursor })} />}
    </Page>
  )
}

const columnsFor = (nameOf: (id: string) => string): readonly Column<RequestView>[] => [
  {
    header: 'Request',
    cell: ({ method, path }) => (
      <span className={styles.request}>
        <span className={styles.method}>{method}</span>
        <code className={styles.path}>{path}</code>
      </span>
    ),
  },
  {
    header: 'Status',
    cell: ({ status, code }) => (
      <Cluster>
        <Badge tone={toneOfStatus(status)}>{status}</Badge>
        {code !== null && <span className="muted small">{code.replaceAll('_', ' ')}</span>}
      </Cluster>
    ),
  },
  { header: 'Duration', cell: ({ duration_ms }) => formatDuration(duration_ms), align: 'end' },
  { header: 'Caller', cell: ({ principal }) => <span className={styles.caller}>{isolate(nameOf(principal.id))}</span> },
  { header: 'Time', cell: ({ occurred_at }) => <Time value={occurred_at} /> },
]
