import { useApiQuery, useCan } from '../session/workspace-context.tsx'
import { Link } from '../ui/button/button-link.tsx'
import { localDate } from '../ui/date/local-time.ts'
import { formatNumber } from '../ui/format/format.ts'
import { useClockTime, useSentence, useWordFormat } from '../ui/format/format-time.ts'
import { isolate } from '../ui/format/untrusted-text.ts'
import { Callout, ErrorMessage, Skeleton } from '../ui/message/message.tsx'
import { Card } from '../ui/page/page.tsx'
import { Stat, Stats } from '../ui/values/values.tsx'
import type { PlanDetail } from '../workplace/plans/plan-words.ts'
import styles from './home.module.css'
import type { CardQuery } from './workspace-state.ts'

/** The newest daily plan: who is expected, and what to do about it. */
export function PlanCard({ query }: CardQuery<'plans'>) {
  const can = useCan()
  const formatDay = useWordFormat('longDay', 'UTC')
  const sentence = useSentence()
  const plan = query.data?.items[0]
  const detail = useApiQuery(
    ['plans', 'home', plan?.id],
    (api, options) => api.solutions.getPlan({ params: { id: plan?.id as `dpl_${string}` } }, options), // enabled with an id
    { enabled: plan !== undefined },
  )
  if (!query.isEnabled) return null
  const isLoading = query.isLoading || detail.isLoading
  const error = query.error ?? detail.error
  return (
    <Card
      title={
        plan === undefined
          ? 'Daily plan'
          : titleOf(plan.date, detail.data?.timezone ?? 'UTC', isolate(plan.space_name), formatDay)
      }
      actions={<Link to="/$workspaceId/plans">All plans</Link>}
    >
      <div className={plan && styles.plan}>
        {isLoading && <Skeleton height="5rem" />}
        {error && <ErrorMessage error={error} onRetry={() => void (query.error === null ? detail : query).refetch()} />}
        {query.data !== undefined && plan === undefined && (
          <p className="secondary">
            A plan a day says who is expected, which floors can stay closed, and how many meals to cook.{' '}
            {can('solutions:write') && <Link to="/$workspaceId/plans">Set up a daily plan</Link>}
          </p>
        )}
        {plan && detail.data && (
          <>
            {detail.data.stale && <Callout tone="warning">{detail.data.warnings[0]}</Callout>}
            <p>
              <Link to="/$workspaceId/plans/$planId" params={{ planId: plan.id }}>
                {sentence(plan.headline)}
              </Link>
            </p>
            {detail.data.rest_day === null && <PlanFigures plan={detail.data} />}
          </>
        )}
      </div>
    </Card>
  )
}

/** Names the day: today and tomorrow in words. */
function titleOf(date: string, timeZone: string, space: string, formatDay: (date: string) => string): string {
  const now = Date.now()
  const dayMs = 86_400_000
  if (date === localDate(new Date(now), timeZone)) return `Today in ${space}`
  if (date === localDate(new Date(now + dayMs), timeZone)) return `Tomorrow in ${space}`
  return `${space} on ${formatDay(date)}`
}

const maxNames = 2

const namesOf = (floors: readonly { name: string }[]): string => {
  const names = floors.slice(0, maxNames).map(({ name }) => isolate(name))
  const others = floors.length - names.length
  return others === 0 ? names.join(', ') : `${names.join(', ')} and ${others} more`
}

function PlanFigures({ plan: { expected, peak, meals, floors } }: { plan: PlanDetail }) {
  const clock = useClockTime()
  const closed = floors.filter(({ is_closed }) => is_closed)
  return (
    <Stats>
      <Stat
        label={expected?.measure === 'peak' ? 'People expected at once' : 'People expected'}
        value={expected === null ? '–' : formatNumber(expected.mean, 0)}
        note={
          expected?.lower != null && expected.upper != null && expected.upper > expected.lower
            ? `${formatNumber(expected.lower, 0)} to ${formatNumber(expected.upper, 0)}`
            : undefined
        }
      />
      <Stat
        label="Fullest hour"
        value={peak === null ? '–' : clock(peak.start)}
        note={peak && `${formatNumber(peak.people, 0)} people`}
      />
      <Stat label="Meals" value={meals === null ? '–' : formatNumber(meals.expected)} />
      <Stat label="Floors to keep closed" value={closed.length} note={closed.length > 0 && namesOf(closed)} />
    </Stats>
  )
}
