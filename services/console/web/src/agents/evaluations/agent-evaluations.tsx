import { keepPreviousData, useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useLeadOn } from '../../routing/use-lead-on.ts'
import { useApiQuery, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { Select } from '../../ui/form/controls.tsx'
import { Field, FieldRow } from '../../ui/form/field.tsx'
import { formatNumber } from '../../ui/format/format.ts'
import { EmptyState } from '../../ui/message/message.tsx'
import { showError } from '../../ui/message/toast.ts'
import { Card, Stack } from '../../ui/page/page.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { PagedTable } from '../../ui/table/paged-table.tsx'
import { StatusBadge, Time } from '../../ui/values/values.tsx'
import { useAgent } from '../shared/queries.ts'
import { isInProgress, pollMs } from '../shared/states.ts'
import { type EvaluationRow, percentOf, useEvaluationSets } from './evaluation-queries.ts'
import { GateCard } from './gate-card.tsx'

const route = getRouteApi('/$workspaceId/agents/$agentId/evaluations')

/** The tests of an assistant, and the condition for its versions. */
export function AgentEvaluations() {
  const { agentId } = route.useParams()
  const { cursor } = route.useSearch()
  const { data: agent } = useAgent(agentId)
  const { data: sets } = useEvaluationSets()
  const evaluations = useApiQuery(
    ['evaluations', 'list', agentId, cursor],
    (api, options) => api.agents.listEvaluations({ query: { agent_id: agentId, limit: 25, cursor } }, options),
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.items.some(isInProgress) ? pollMs : false),
    },
  )
  const names = new Map(sets?.map(({ id, name }) => [id, name]))
  return (
    <>
      {agent !== undefined && <GateCard agent={agent} />}
      <StartCard agentId={agentId} activeVersion={agent?.version} />
      <Card title="Tests" isFlush>
        <PagedTable
          columns={columnsOf(names)}
          page={evaluations}
          noun="tests"
          rowKey={({ id }) => id}
          rowLink={({ id: evaluationId }) => ({
            to: '/$workspaceId/agents/evaluations/$evaluationId',
            params: { evaluationId },
          })}
          empty={
            <EmptyState icon="check" title="No test yet">
              A test asks the assistant every question of a test set and shows which answers are wrong.
            </EmptyState>
          }
        />
      </Card>
    </>
  )
}

const columnsOf = (names: ReadonlyMap<string, string>): readonly Column<EvaluationRow>[] => [
  { header: 'Test set', cell: ({ evaluation_set_id: id }) => names.get(id) ?? 'A test set' },
  { header: 'Version', cell: ({ version }) => version, align: 'end', isNarrow: true },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} />, isNarrow: true },
  { header: 'Good answers', cell: passedText, align: 'end', isNarrow: true },
  { header: 'Tokens', cell: ({ usage }) => formatNumber(usage.total_tokens), align: 'end', isNarrow: true },
  { header: 'Started', cell: ({ created_at }) => <Time value={created_at} />, isNarrow: true },
]

function passedText({ summary: { cases, passed, pass_rate: rate }, progress }: EvaluationRow): string {
  return rate === null ? percentOf(progress) : `${passed} of ${cases}`
}

function StartCard({ agentId, activeVersion }: { agentId: string; activeVersion: number | undefined }) {
  const { api, workspaceId, refresh } = useWorkspace()
  const can = useCan()
  const leadOn = useLeadOn()
  const [chosen, setChosen] = useState<{ set?: string; version?: string }>({})
  const { data: sets } = useEvaluationSets()
  const { data: versions } = useApiQuery(['agents', agentId, 'versions', 'choice'], (api_, options) =>
    api_.agents.listAgentVersions({ params: { agent_id: agentId }, query: { limit: 50 } }, options),
  )
  const setId = chosen.set ?? sets?.[0]?.id ?? ''
  const newest = versions?.items[0]?.version
  const version = chosen.version ?? String(newest ?? '')
  const start = useMutation({
    mutationFn: async () => {
      const body = { agent_id: agentId, evaluation_set_id: setId, version: Number(version) }
      const { id: evaluationId } = await api.agents.startEvaluation({ body })
      await refresh('evaluations')
      await leadOn({ to: '/$workspaceId/agents/evaluations/$evaluationId', params: { workspaceId, evaluationId } })
    },
    onError: showError,
  })
  if (!can('agents:write') || !can('agents:run')) return null
  if (sets?.length === 0)
    return (
      <Card>
        <EmptyState
          icon="check"
          title="Create a test set first"
          actions={
            <ButtonLink to="/$workspaceId/agents/evaluation-sets" variant="primary">
              Go to test sets
            </ButtonLink>
          }
        >
          It holds the questions of a test, and what a good answer states.
        </EmptyState>
      </Card>
    )
  return (
    <Card
      title="Test a version"
      description="Asks every question once. Tools that change something, or need an approval, are not called."
    >
      <Stack>
        <FieldRow>
          <Field label="Test set">
            <Select
              value={setId}
              onChange={(event) => setChosen({ ...chosen, set: event.target.value })}
              options={(sets ?? []).map(({ id, name, cases }) => ({ value: id, label: `${name} (${cases})` }))}
            />
          </Field>
          <Field label="Version">
            <Select
              value={version}
              onChange={(event) => setChosen({ ...chosen, version: event.target.value })}
              options={(versions?.items ?? []).map((each) => ({
                value: String(each.version),
                label: `Version ${each.version}${each.version === activeVersion ? ', active' : ''}`,
              }))}
            />
          </Field>
        </FieldRow>
        <div>
          <Button
            icon="play"
            variant="primary"
            isBusy={start.isPending}
            disabled={setId === '' || version === ''}
            onClick={() => start.mutate()}
          >
            Start the test
          </Button>
        </div>
      </Stack>
    </Card>
  )
}
