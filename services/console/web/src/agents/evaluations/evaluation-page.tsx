import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi, useApiQuery, useCan, useRefresh } from '../../session/workspace-context.tsx'
import { Button, Icon } from '../../ui/button/button.tsx'
import { formatDuration, formatNumber } from '../../ui/format/format.ts'
import { Callout, EmptyState, ErrorMessage } from '../../ui/message/message.tsx'
import { showError } from '../../ui/message/toast.ts'
import { Card, Page, Stack, UnloadedPage } from '../../ui/page/page.tsx'
import { type Column, DataTable } from '../../ui/table/data-table.tsx'
import { RowDrawer } from '../../ui/table/row-drawer.tsx'
import { JsonView } from '../../ui/values/code-block.tsx'
import { Progress } from '../../ui/values/progress.tsx'
import { Badge, DefinitionList, Stat, Stats, StatusBadge } from '../../ui/values/values.tsx'
import { AnswerText } from '../answer/answer-text.tsx'
import styles from '../shared/agents.module.css'
import { useAgent } from '../shared/queries.ts'
import { isInProgress } from '../shared/states.ts'
import { ActivateButton } from './activate-button.tsx'
import {
  percentOf,
  type ResultRow,
  titleOf,
  useEvaluation,
  useEvaluationSets,
  useResults,
} from './evaluation-queries.ts'
import { describe } from './set-page.tsx'

const route = getRouteApi('/$workspaceId/agents/evaluations/$evaluationId')

type EvaluationDetail = NonNullable<ReturnType<typeof useEvaluation>['data']>

/** One test: what the condition says, the wrong answers first, and the difference from the active version. */
export function EvaluationPage() {
  const { workspaceId, evaluationId } = route.useParams()
  const evaluation = useEvaluation(evaluationId)
  const agentId = evaluation.data?.agent_id
  const { data: sets } = useEvaluationSets()
  const { data: agent } = useAgent(agentId ?? '')
  const parent =
    agentId === undefined
      ? ({ label: 'Assistants', link: { to: '/$workspaceId/agents', params: { workspaceId } } } as const)
      : ({
          label: `Tests of ${agent?.name ?? 'the assistant'}`,
          link: { to: '/$workspaceId/agents/$agentId/evaluations', params: { workspaceId, agentId } },
        } as const)
  if (evaluation.data === undefined) return <UnloadedPage title="Test" parent={parent} {...evaluation} />
  const { data } = evaluation
  const set = sets?.find(({ id }) => id === data.evaluation_set_id)
  const isActive = agent?.version === data.version
  return (
    <Page
      title={`Version ${data.version}, ${set?.name ?? 'a test set'}`}
      status={<StatusBadge status={data.status} />}
      parent={parent}
      actions={
        isInProgress(data) ? (
          <CancelButton id={data.id} />
        ) : (
          agent !== undefined && !isActive && <ActivateButton agentId={data.agent_id} version={data.version} />
        )
      }
    >
      <Summary evaluation={data} />
      <Verdict evaluation={data} isActive={isActive} />
      <Results evaluation={data} />
      {data.status === 'finished' && <Comparison id={data.id} />}
    </Page>
  )
}

function CancelButton({ id }: { id: string }) {
  const api = useApi()
  const refresh = useRefresh()
  const can = useCan()
  if (!can('agents:run')) return null
  const cancel = async () => {
    await api.agents.cancelEvaluation({ params: { id } }).catch(showError)
    await refresh('evaluations')
  }
  return (
    <Button onClick={() => void cancel()}>
      <Icon name="stop" size={16} />
      Cancel
    </Button>
  )
}

function Summary({ evaluation: { summary, usage, status, progress, error } }: { evaluation: EvaluationDetail }) {
  const { cases, passed, failed, errors, pass_rate: rate, average_ms: averageMs } = summary
  return (
    <>
      <Stats>
        <Stat label="Good answers" value={rate === null ? '–' : percentOf(rate)} note={`${passed} of ${cases}`} />
        <Stat label="Wrong" value={formatNumber(failed)} />
        <Stat label="Without an answer" value={formatNumber(errors)} />
        <Stat label="Time of an answer" value={averageMs === null ? '–' : formatDuration(averageMs)} />
        <Stat label="Tokens" value={formatNumber(usage.total_tokens)} />
      </Stats>
      {isInProgress({ status }) && (
        <Progress value={progress} label={`${passed + failed + errors} of ${cases} answers`} />
      )}
      {error !== null && <Callout tone="danger" title={error.message} />}
    </>
  )
}

function Verdict({
  evaluation: { gate, status, version },
  isActive,
}: {
  evaluation: EvaluationDetail
  isActive: boolean
}) {
  if (gate === null || status !== 'finished') return null
  if (gate.passes)
    return (
      <Callout
        tone="success"
        title={isActive ? 'The active version meets the condition' : `Version ${version} may become active`}
      />
    )
  return (
    <Callout
      tone="danger"
      title={
        isActive ? 'The active version does not meet the condition' : `Version ${version} is kept from becoming active`
      }
    >
      <ul>
        {gate.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Callout>
  )
}

function Results({ evaluation }: { evaluation: EvaluationDetail }) {
  const { workspaceId } = route.useParams()
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
    cell: ({ duration_ms: ms }) => <span className={styles.nowrap}>{ms === null ? '–' : formatDuration(ms)}</span>,
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
function Comparison({ id }: { id: string }) {
  const { workspaceId } = route.useParams()
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
        <Link to="/$workspaceId/agents/evaluations/$evaluationId" params={{ workspaceId, evaluationId: baseline.id }}>
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
