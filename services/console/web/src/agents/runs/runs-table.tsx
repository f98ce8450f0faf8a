import { keepPreviousData } from '@tanstack/react-query'
import type { AgentRunSummary } from '@wp/contracts'
import { type ReactNode, useMemo } from 'react'
import type { z } from 'zod'
import { useApiQuery } from '../../session/workspace-context.tsx'
import { formatDuration, formatNumber } from '../../ui/format/format.ts'
import { Card } from '../../ui/page/page.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { PagedTable } from '../../ui/table/paged-table.tsx'
import { StatusBadge, Time } from '../../ui/values/values.tsx'
import { isInProgress, pollMs, type runStates } from '../shared/states.ts'

export interface RunFilters {
  agent_id?: string
  conversation_id?: string
  external_id?: string
  status?: (typeof runStates)[number]
  cursor?: string
}

type RunRow = z.output<typeof AgentRunSummary>

/** Runs that match the filters, newest first. The list is read again while one of them is in progress. */
export function RunsTable({
  filters,
  agentNames,
  empty,
  filterBar,
}: {
  filters: RunFilters
  /** Names of agents by id; without it, the table is of one agent and has no column for it. */
  agentNames?: ReadonlyMap<string, string>
  empty: ReactNode
  /** The filters of the page, above the table. */
  filterBar: ReactNode
}) {
  const runs = useApiQuery(
    ['agent-runs', 'list', filters],
    (api, options) => api.ai.listRuns({ query: { ...filters, limit: 25 } }, options),
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.items.some(isInProgress) ? pollMs : false),
    },
  )
  const columns = useMemo(() => runColumns(agentNames), [agentNames])
  return (
    <Card isFlush>
      {filterBar}
      <PagedTable
        columns={columns}
        page={runs}
        noun="runs"
        rowKey={({ id }) => id}
        rowLink={({ id: runId }) => ({ to: '/$workspaceId/agents/runs/$runId', params: { runId } })}
        empty={empty}
      />
    </Card>
  )
}

const runColumns = (agentNames: ReadonlyMap<string, string> | undefined): readonly Column<RunRow>[] => [
  { header: 'Started', cell: ({ created_at }) => <Time value={created_at} format="absolute" /> },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} />, isNarrow: true },
  ...(agentNames === undefined ? [] : [agentColumn(agentNames)]),
  { header: 'Version', cell: ({ agent_version: version }) => version ?? '–', align: 'end', isNarrow: true },
  {
    header: 'Tokens',
    cell: ({ usage }) => <span className="nowrap">{tokens(usage)}</span>,
    align: 'end',
    isNarrow: true,
  },
  {
    header: 'Duration',
    cell: (run) => <span className="nowrap">{duration(run)}</span>,
    align: 'end',
    isNarrow: true,
  },
  { header: 'Error', cell: ({ error }) => error?.code.replaceAll('_', ' ') },
]

const agentColumn = (agentNames: ReadonlyMap<string, string>): Column<RunRow> => ({
  header: 'Assistant',
  cell: ({ agent_id: id }) => (id === null ? 'Chat' : (agentNames.get(id) ?? 'A deleted agent')),
})

const tokens = ({ total_tokens, estimated }: RunRow['usage']) => `${estimated ? '~' : ''}${formatNumber(total_tokens)}`

/** Returns the time from the start to the end of a run. */
export const duration = ({ started_at, finished_at }: Pick<RunRow, 'started_at' | 'finished_at'>): string =>
  started_at === null || finished_at === null ? '–' : formatDuration(Date.parse(finished_at) - Date.parse(started_at))
