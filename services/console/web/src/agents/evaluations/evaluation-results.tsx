import { useState } from 'react'
import { type useApi, useApiQuery, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Link } from '../../ui/button/button-link.tsx'
import { formatDuration, formatNumber } from '../../ui/format/format.ts'
import { EmptyState, ErrorMessage } from '../../ui/message/message.tsx'
import { Card, Stack } from '../../ui/page/page.tsx'
import { type Column, DataTable } from '../../ui/table/data-table.tsx'
import { RowDrawer } from '../../ui/table/row-drawer.tsx'
import { JsonView } from '../../ui/values/code-block.tsx'
import { Badge, DefinitionList } from '../../ui/values/values.tsx'
import { AnswerText } from '../answer/answer-text.tsx'
import styles from '../shared/agents.module.css'
import { type EvaluationDetail, type ResultRow, titleOf, useResults } from './evaluation-queries.ts'
import { describe } from './set-page.tsx'

/** The answers of a test, the wrong ones first, each with a look at it beside the list. */
export function EvaluationResults({ evaluation }: { evaluation: Pick<EvaluationDetail, 'id' | 'summary'> }) {
  const workspaceId = useWorkspaceId()
  const { summary } = evaluation
  const results = useResults(evaluation.id, summary.passed + summary.failed + summary.errors)
  const [shown, setShown] = useState<ResultRow>()
  return (
    <Card title="Answers" description="Wrong answers first." isFlush>
      <DataTable
        label="Answers"
        columns={columns}
        rows={results.data}
        error={results.error}
        onRetry={() => void results.refetch()}
        rowKey={({ case_id }) => case_id}
        rowName={titleOf}
        onPreview={setShown}
        empty={<EmptyState icon="clock" title="No answer yet" />}
      />
      <RowDrawer
        row={shown}
        onClose={() => setShown(undefined)}
        title={titleOf}
        {...(shown?.run_id != null && {
          page: ({ run_id: runId }: ResultRow) => ({
            to: '/$workspaceId/agents/runs/$runId',
            params: { workspaceId, runId: runId ?? '' },
          }),
          pageLabel: 'Open the run',
        })}
      >
        {(row) => <ResultDetail row={row} />}
      </RowDrawer>
    </Card>
  )
}

const outcomeBadge = ({ outcome, status }: Pick<ResultRow, 'outcome' | 'status'>) => {
  if (outcome === 'passed') return <Badge tone="success">good</Badge>
  if (outcome === 'failed') return <Badge tone="danger">wrong</Badge>
  if (outcome === 'error') return <Badge tone="warning">no answer</Badge>
  return (
    <Badge tone={status === 'running' ? 'running' : 'neutral'}>{status === 'running' ? 'asking' : 'waiting'}</Badge>
  )
}

const columns: readonly Column<ResultRow>[] = [
  { header: 'Question', cell: (row) => <span className={styles.clamp}>{titleOf(row)}</span> },
  { header: 'Result', cell: outcomeBadge, isNarrow: true },
  { header: 'Answer', cell: ({ answer }) => <span className={styles.clamp}>{answer ?? '–'}</span> },
  { header: 'What is wrong', cell: ({ reason }) => <span className={styles.clamp}>{reason ?? ''}</span> },
  {
    header: 'Time',
    cell: ({ duration_ms: ms }) => <span className="nowrap">{ms === null ? '–' : formatDuration(ms)}</span>,
    align: 'end',
    isNarrow: true,
  },
]

function ResultDetail({ row }: { row: ResultRow }) {
  return (
    <Stack>
      <DefinitionList
        items={[
          ['Result', outcomeBadge(row)],
          [
            'Question',
            typeof row.input === 'string' ? row.input : <JsonView key="input" value={row.input} label="Question" />,
          ],
          ['A good answer', describe(row.expected)],
          row.reason !== null && ['What is wrong', row.reason],
          row.refused_tools.length > 0 && ['Tools not called', row.refused_tools.join(', ')],
          ['Tokens', formatNumber(row.usage.total_tokens)],
        ]}
      />
      {row.answer !== null && <AnswerText text={row.answer} citations={[]} />}
    </Stack>
  )
}

/** The answers that differ from those of the active version. */
export function EvaluationComparison({ id }: { id: string }) {
  const comparison = useApiQuery(
    ['evaluations', id, 'comparison'],
    (api, options) => api.agents.compareEvaluations({ params: { id }, query: {} }, options),
    { retry: false },
  )
  if (comparison.error)
    return (
      <Card title="Compared with the active version">
        <ErrorMessage error={comparison.error} />
      </Card>
    )
  if (comparison.data === undefined || comparison.data.baseline.id === id) return null
  const { baseline, counts, cases } = comparison.data
  const different = cases.filter(({ change }) => change !== 'equal')
  return (
    <Card
      title={`Compared with version ${baseline.version}, the active one`}
      description={`${counts.worse} worse, ${counts.better} better, ${counts.equal} equal.`}
      actions={
        <Link to="/$workspaceId/agents/evaluations/$evaluationId" params={{ evaluationId: baseline.id }}>
          Open the other test
        </Link>
      }
      isFlush
    >
      <DataTable
        label="Differences"
        columns={differenceColumns}
        rows={different}
        rowKey={({ case_id }) => case_id}
        empty={<EmptyState icon="check" title="Every answer is as good as before" />}
      />
    </Card>
  )
}

const changeTones = { worse: 'danger', better: 'success', equal: 'neutral', not_comparable: 'neutral' } as const

type Difference = Awaited<ReturnType<ReturnType<typeof useApi>['agents']['compareEvaluations']>>['cases'][number]

const differenceColumns: readonly Column<Difference>[] = [
  { header: 'Question', cell: ({ name }) => <span className={styles.clamp}>{name}</span> },
  {
    header: 'Change',
    cell: ({ change }) => <Badge tone={changeTones[change]}>{change.replace('_', ' ')}</Badge>,
    isNarrow: true,
  },
  { header: 'Before', cell: ({ before }) => <span className={styles.clamp}>{before?.answer ?? '–'}</span> },
  { header: 'Now', cell: ({ after }) => <span className={styles.clamp}>{after?.answer ?? '–'}</span> },
]
