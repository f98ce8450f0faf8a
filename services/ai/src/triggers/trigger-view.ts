import { agents } from '@wp/contracts'
import { viewOf } from '@wp/database'
import { nextCronRun } from '@wp/jobs'
import type { z } from 'zod'
import type { Trigger } from '../store/triggers/triggers.ts'

export const triggerView = (trigger: Trigger): z.input<typeof agents.getTrigger.ok> =>
  viewOf(agents.getTrigger.ok, trigger, {
    enabled: trigger.isEnabled,
    acts_for: trigger.caller.principal.id,
    upcoming: upcomingRuns(trigger).map((at) => at.toISOString()),
    last_skipped:
      trigger.skippedAt === null || trigger.skipReason === null
        ? null
        : { at: trigger.skippedAt.toISOString(), reason: trigger.skipReason },
  })

const shownRuns = 3

/** Returns the next times of a trigger, with the one that is due. */
function upcomingRuns({ on, nextRunAt }: Trigger): Date[] {
  const times: Date[] = []
  for (let at = nextRunAt; at !== null && times.length < shownRuns; ) {
    times.push(at)
    at = 'schedule' in on ? nextCronRun(on.schedule, on.timezone, at) : null
  }
  return times
}
