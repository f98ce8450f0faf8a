import { NewTrigger, TriggerPatch, type WebhookEventKind } from '@wp/contracts'
import { z } from 'zod'
import { readNumber } from '../../ui/form/number-text.ts'
import { numberProblem } from '../../ui/format/number-signs.ts'
import type { TimedSchedule } from '../../ui/schedule/schedule-preset.ts'
import { type Condition, conditionsOf, filterOf, isNumber, type TriggerView } from './trigger-words.ts'

/** The fields of the form of a trigger; those of a single input are at the paths of the body, as are its errors. */
export interface TriggerValues {
  kind: 'schedule' | 'event'
  schedule: TimedSchedule
  event: WebhookEventKind
  conditions: Condition[]
  /** A question, or an object as JSON. */
  input: string
  budget: { runs_per_day: string }
  /** Empty for the level of the assistant. */
  autonomy: string
}

const defaultRuns = '100'

/** Returns what the form shows at first. @param trigger undefined for a new one */
export function toTriggerValues(trigger: TriggerView | undefined, timezone: string): TriggerValues {
  const { on } = trigger ?? {}
  const isEvent = on !== undefined && 'event' in on
  return {
    kind: isEvent ? 'event' : 'schedule',
    schedule:
      on !== undefined && 'schedule' in on
        ? { type: 'cron', expression: on.schedule, timezone: on.timezone ?? 'UTC' }
        : { type: 'cron', expression: '0 7 * * mon-fri', timezone },
    event: isEvent ? on.event : 'DATA_SYNC_FAILED',
    conditions: isEvent ? (conditionsOf(on.filter) ?? []) : [],
    input: inputText(trigger?.input),
    budget: {
      runs_per_day: trigger === undefined ? defaultRuns : (trigger.budget.runs_per_day?.toString() ?? ''),
    },
    autonomy: trigger?.autonomy ?? '',
  }
}

const inputText = (input: unknown) =>
  typeof input === 'string' || input === undefined ? (input ?? '') : JSON.stringify(input, undefined, 2)

/** The body of a new trigger or of a change. */
export type TriggerBody = z.output<typeof NewTrigger> | z.output<typeof TriggerPatch>

/** Returns a schema that turns the values of the form into the body of a new trigger or of a change. */
export const triggerSchema = (trigger: TriggerView | undefined): z.ZodType<TriggerBody, TriggerValues> =>
  z
    .custom<TriggerValues>()
    .transform((values, context): unknown => toBody(values, trigger, context))
    .pipe(trigger === undefined ? NewTrigger : TriggerPatch)

function toBody(
  { kind, schedule, event, conditions, input, budget, autonomy }: TriggerValues,
  trigger: TriggerView | undefined,
  context: z.RefinementCtx,
) {
  const timed = { schedule: schedule.expression, timezone: schedule.timezone }
  // A filter that the form cannot show stays as it is.
  const isKept = trigger !== undefined && hasOtherFilter(trigger)
  const problem = conditions
    .filter(({ field }) => isNumber(event, field))
    .map(({ value }) => numberProblem(value) ?? (value.trim() === '' ? 'Enter a number' : undefined))
    .find((message) => message !== undefined)
  if (kind === 'event' && !isKept && problem !== undefined)
    context.addIssue({ code: 'custom', message: problem, path: ['conditions'] })
  const on = kind === 'schedule' ? timed : { event, filter: filterOf(event, conditions) }
  return {
    ...(isKept && kind === 'event' ? {} : { on }),
    input: parseInput(input),
    budget: { runs_per_day: readNumber(budget.runs_per_day, context, 'budget', 'runs_per_day') },
    autonomy: autonomy === '' ? null : autonomy,
  }
}

/** Returns true if a trigger has a filter that the form cannot show. */
export const hasOtherFilter = ({ on }: TriggerView): boolean => 'event' in on && conditionsOf(on.filter) === undefined

function parseInput(text: string): unknown {
  if (!text.trim().startsWith('{')) return text.trim()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
