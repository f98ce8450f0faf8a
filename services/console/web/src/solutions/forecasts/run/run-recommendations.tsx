import { useApiQuery } from '../../../session/workspace-context.tsx'
import { ButtonLink, Link } from '../../../ui/button/button-link.tsx'
import { formatCount } from '../../../ui/format/format.ts'
import { Unloaded } from '../../../ui/message/message.tsx'
import { Card, Stack } from '../../../ui/page/page.tsx'
import { bySaving } from '../../recommendations/read-figures.ts'
import { RecommendationCard } from '../../recommendations/recommendation-card.tsx'
import { useDecisions } from '../../recommendations/use-decisions.ts'
import { capacityOf, type ForecastRunDetail, type RunInput, runInput } from '../run-input.ts'

const maxListed = 50
/** Recommendations that stand on the page of a run; the others are a link away. */
const maxShown = 3

/** Reads what a run has recommended. */
export const useRunRecommendations = (runId: string) =>
  useApiQuery(['recommendations', 'of-run', runId], (api, options) =>
    api.solutions.listRecommendations({ query: { forecast_run_id: runId, limit: maxListed } }, options),
  )

/** Leads on from a forecast: its recommendations, or the next step. */
export function RunRecommendations({
  run,
  recommendations: { data, error, refetch },
}: {
  run: ForecastRunDetail
  recommendations: ReturnType<typeof useRunRecommendations>
}) {
  const { pending, decide } = useDecisions()
  const items = data?.items.filter(({ id }) => !pending.has(id)).toSorted(bySaving)
  const input = runInput(run)
  return (
    <Card
      title="What to do about it"
      actions={
        items !== undefined &&
        items.length > maxShown && (
          <Link to="/$workspaceId/recommendations" search={{ run: run.id, status: 'all' }}>
            All {formatCount(items.length, 'recommendation')}
          </Link>
        )
      }
    >
      {error || items === undefined ? (
        <Unloaded error={error} refetch={refetch} height="6rem" />
      ) : (
        <Stack>
          {items.slice(0, maxShown).map((item) => (
            <RecommendationCard
              key={item.id}
              recommendation={item}
              onDecide={(decision) => decide([item.id], decision)}
              isOfRun
            />
          ))}
          {items.length === 0 && <p>{nothingText(run, input)}</p>}
          {input.workplace !== undefined && <ScenarioLink run={run} input={input} />}
        </Stack>
      )}
    </Card>
  )
}

function ScenarioLink({ run, input: { workplace } }: { run: ForecastRunDetail; input: RunInput }) {
  const search = {
    ...(workplace?.level === 'team' && { forecast: run.id }),
    ...(workplace?.space_id !== undefined && { space: workplace.space_id }),
  }
  return (
    <div>
      <ButtonLink to="/$workspaceId/scenarios/new" search={search}>
        Try a scenario
      </ButtonLink>
    </div>
  )
}

function nothingText({ series }: ForecastRunDetail, input: RunInput): string {
  const { workplace, frequency } = input
  if (workplace !== undefined)
    return 'A scenario shows what happens if a floor closes, or if teams come on other days, and what that saves.'
  if (series.some(({ warnings }) => warnings.some((warning) => warning.startsWith('No recommendation'))))
    return 'Nothing is recommended, because some of the data is in doubt: see the notes on the data.'
  if (series.every(({ key }) => capacityOf(input, key) === undefined))
    return 'Nothing: no days are so quiet that space or service could be saved. To see which days get full, choose Change and run and state the capacity under Advanced.'
  if (frequency === 'week') return 'Nothing: no week is expected to be full.'
  return 'Nothing: no day is expected to be full, and none so quiet that space or service could be saved.'
}
