import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiQuery, useCan } from '../../session/workspace-context.tsx'
import { withoutDirections } from '../../ui/format/untrusted-text.ts'
import { Callout, Skeleton } from '../../ui/message/message.tsx'
import { Card, Page, Stack, UnloadedPage } from '../../ui/page/page.tsx'
import { Progress } from '../../ui/values/progress.tsx'
import { Time } from '../../ui/values/values.tsx'
import { draftOf, openDays } from './form/scenario-draft.ts'
import { ScenarioForm } from './form/scenario-form.tsx'
import { ComparisonCard, useComparison } from './result/comparison-card.tsx'
import { ScenarioActions } from './result/scenario-actions.tsx'
import { ScenarioOutcome } from './result/scenario-outcome.tsx'
import { describeChanges, objectiveNames } from './scenario-words.ts'
import styles from './scenarios.module.css'
import { isActive, ScenarioState } from './scenarios-page.tsx'
import { useWorkplace } from './use-workplace.ts'
import type { ScenarioDetail, Workplace } from './workplace.ts'

const route = getRouteApi('/$workspaceId/scenarios/$scenarioId')
const pollMs = 1_000

/** A scenario: what it asks, beside its result. */
export function ScenarioPage() {
  const { scenarioId } = route.useParams()
  const workplace = useWorkplace()
  const {
    data: scenario,
    error,
    refetch,
  } = useApiQuery(
    ['scenarios', 'one', scenarioId],
    (api, options) => api.solutions.getScenario({ params: { id: scenarioId } }, options),
    { refetchInterval: ({ state: { data } }) => (data !== undefined && isActive(data) ? pollMs : false) },
  )
  const parent = {
    label: 'Scenarios',
    link: { to: '/$workspaceId/scenarios', search: {} },
  } as const
  if (scenario === undefined || workplace.data === undefined)
    return (
      <UnloadedPage
        title="Scenario"
        parent={parent}
        error={error ?? workplace.error}
        refetch={() => Promise.all([refetch(), workplace.refetch()])}
        height="40rem"
      />
    )
  return (
    <Page
      title={withoutDirections(scenario.name)}
      status={<ScenarioState scenario={scenario} />}
      parent={parent}
      description={<Asked scenario={scenario} workplace={workplace.data} />}
      actions={<ScenarioActions scenario={scenario} />}
    >
      <LoadedScenario key={scenario.id} scenario={scenario} workplace={workplace.data} />
    </Page>
  )
}

function Asked({ scenario, workplace }: { scenario: ScenarioDetail; workplace: Workplace }) {
  const changes = describeChanges(scenario, workplace, openDays(workplace, scenario.space_id))
  return (
    <>
      {changes.length === 0 && 'With the people and floors of today. '}
      {changes.some((change) => !scenario.name.includes(change)) && `${changes.join('; ')}. `}
      {objectiveNames[scenario.objective]}. Made <Time value={scenario.created_at} />.
    </>
  )
}

function LoadedScenario({ scenario, workplace }: { scenario: ScenarioDetail; workplace: Workplace }) {
  const { compare } = route.useSearch()
  const can = useCan()
  const [draft, setDraft] = useState(() => draftOf(scenario, workplace))
  const comparison = useComparison(scenario, compare)
  // A comparison that came later would move the result below it.
  const result = comparison.isLoading ? (
    <Skeleton height="40rem" />
  ) : (
    <Stack>
      {comparison.isWanted && <ComparisonCard scenario={scenario} comparison={comparison} />}
      <Outcome scenario={scenario} workplace={workplace} />
    </Stack>
  )
  if (!can('solutions:run')) return result
  return (
    <div className={styles.beside}>
      <div className={styles.editor}>
        <Card title="What if">
          <ScenarioForm
            draft={draft}
            workplace={workplace}
            onChange={setDraft}
            submitLabel="Change and run again"
            {...(scenario.result !== null && { former: scenario.id })}
          />
        </Card>
      </div>
      {result}
    </div>
  )
}

function Outcome({ scenario, workplace }: { scenario: ScenarioDetail; workplace: Workplace }) {
  const { status, progress, error, result } = scenario
  if (result !== null) return <ScenarioOutcome scenario={scenario} result={result} workplace={workplace} />
  if (status === 'failed')
    return (
      <Callout tone="danger" title="The scenario failed">
        <p>{error?.message ?? 'No reason was recorded.'}</p>
        <p>
          {error?.retryable ? 'The same may succeed later: run it again.' : 'Change what is asked, and run it again.'}
        </p>
      </Callout>
    )
  if (status === 'cancelled')
    return (
      <Callout title="The scenario was cancelled">What it asks is kept, so it can be run again at any time.</Callout>
    )
  return (
    <Card title="In progress">
      <div role="status" className={styles.progress}>
        <Progress label={status === 'queued' ? 'Waiting for its turn' : 'Finding floors and places'} value={progress} />
      </div>
    </Card>
  )
}
