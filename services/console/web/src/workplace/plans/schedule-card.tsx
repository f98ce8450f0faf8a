import { useMutation } from '@tanstack/react-query'
import { useLeadOn } from '../../routing/use-lead-on.ts'
import { useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Link } from '../../ui/button/button-link.tsx'
import { localDate } from '../../ui/date/local-time.ts'
import { useClockTime, useSentence, useWordFormat } from '../../ui/format/format-time.ts'
import { showError } from '../../ui/message/toast.ts'
import { Card, Stack } from '../../ui/page/page.tsx'
import { dayNames } from '../buildings/space-words.ts'
import { joinWords } from '../scenarios/scenario-words.ts'
import { PlanActions, PlanFigures, PlanWarnings } from './plan-view.tsx'
import type { PlanDetail, PlanSchedule } from './plan-words.ts'
import styles from './plans.module.css'

/** The newest plan of a building, and when the next one is made. */
export function ScheduleCard({
  schedule,
  plan,
  onEdit,
}: {
  schedule: PlanSchedule
  /** Undefined before the first one. */
  plan: PlanDetail | undefined
  onEdit: () => void
}) {
  const { name, timezone } = schedule
  const can = useCan()
  const formatDay = useWordFormat('longDay', 'UTC')
  const sentence = useSentence()
  const clock = useClockTime()
  const isOfToday = plan?.date === localDate(new Date(), timezone)
  return (
    <Card
      title={plan ? `${name}, ${formatDay(plan.date)}` : name}
      description={<span className="secondary size-table">{describeSchedule(schedule, clock)}</span>}
      actions={
        <>
          {can('solutions:run') && !isOfToday && <RunButton schedule={schedule} />}
          {can('solutions:write') && (
            <Button size="small" onClick={onEdit}>
              Change
            </Button>
          )}
        </>
      }
    >
      {plan === undefined && <p>No plan has been made yet.</p>}
      {plan && (
        <Stack>
          <p className={styles.headline}>{sentence(plan.headline)}</p>
          <PlanWarnings plan={plan} />
          <PlanFigures plan={plan} />
          <PlanActions plan={plan} />
          {plan.previous && <p>The plan before: {sentence(plan.previous.conclusion)}</p>}
          <div>
            <Link to="/$workspaceId/plans/$planId" params={{ planId: plan.id }}>
              Open the whole plan
            </Link>
          </div>
        </Stack>
      )}
    </Card>
  )
}

function describeSchedule(
  { enabled, weekdays, local_time: time, timezone }: PlanSchedule,
  clock: (time: string) => string,
): string {
  if (!enabled) return 'No plans are made at present.'
  const days =
    weekdays === null ? 'On days on which it is open' : `On ${joinWords(weekdays.map((day) => `${dayNames[day]}s`))}`
  return `${days}, at ${clock(time)} (${timezone}).`
}

function RunButton({ schedule }: { schedule: PlanSchedule }) {
  const { api, workspaceId, refresh } = useWorkspace()
  const leadOn = useLeadOn()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.solutions.runPlanSchedule({ params: { id: schedule.id } }),
    onError: showError,
    onSuccess: async ({ id }) => {
      await leadOn({ to: '/$workspaceId/plans/$planId', params: { workspaceId, planId: id } })
      await refresh('plans')
    },
  })
  return (
    <Button size="small" isBusy={isPending} onClick={() => mutate()}>
      Make the plan of today
    </Button>
  )
}
