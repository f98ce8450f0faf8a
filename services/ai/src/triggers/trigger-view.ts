import type { agents } from '@wp/contracts'
import type { z } from 'zod'
import type { Trigger } from '../store/triggers/triggers.ts'

export const triggerView = (trigger: Trigger): z.input<typeof agents.getTrigger.ok> => ({
  ...{ id: trigger.id, agent_id: trigger.agentId, on: trigger.on, input: trigger.input, budget: trigger.budget },
  enabled: trigger.isEnabled,
  acts_for: trigger.caller.principal.id,
  next_run_at: trigger.nextRunAt?.toISOString() ?? null,
  last_run_id: trigger.lastRunId,
  last_run_at: trigger.lastRunAt?.toISOString() ?? null,
  last_skipped:
    trigger.skippedAt === null || trigger.skipReason === null
      ? null
      : { at: trigger.skippedAt.toISOString(), reason: trigger.skipReason },
  created_at: trigger.createdAt.toISOString(),
  updated_at: trigger.updatedAt.toISOString(),
})
