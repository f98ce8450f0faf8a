import type { agents } from '@wp/contracts'
import { nextCronRun } from '@wp/jobs'
import type { z } from 'zod'
import type { Trigger } from '../store/triggers/triggers.ts'

export const triggerView = (trigger: Trigger): z.input<typeof agents.getTrigger.ok> => ({
  ...{ id: trigger.id, agent_id: trigger.agentId, on: trigger.on, input: trigger.input, budget: trigger.budget },
  autonomy: trigger.autonomy,
  enabled: trigger.isEnabled,
  acts_for: trigger.caller.principal.id,
  next_run_at: trigger.nextRunAt?.toISOString() ?? null,
  upcoming: upcomingRuns(trigger).map((at) => at.toISOString()),
  last_run_id: trigger.lastRunId,
  last_run_at: trigger.lastRunAt?.toISOString() ?? null,
  last_skipped:
    trigger.skippedAt === null || trigger.skipReason === null
      ? null
      : { at: trigger.skippedAt.toISOString(), reason: trigger.skipReason },
  created_at: trigger.createdAt.toISOString(),
  updated_at: trigger.updatedAt.toISOString(),
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
