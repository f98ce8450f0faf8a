import { z } from 'zod'
import { boundedRecord } from '../core/shape/bounded.ts'
import { id } from '../core/shape/id.ts'
import { text, timestamp } from '../core/shape/shape.ts'
import { timeZone } from '../data/schedule.ts'
import { webhookEventKinds } from '../events/webhook-events.ts'
import { EventFilter } from '../webhooks/event-filter.ts'

/** Longest text of a message or a question, in characters. */
export const maxMessageText = 100_000
/** Members of an object that is the input of a run. */
export const maxInputMembers = 100
const [maxTokens, maxRuns] = [1_000_000_000, 100_000]

const tokens = () => z.int().min(1).max(maxTokens).nullable()

const budgetFields = {
  tokens_per_run: tokens().meta({
    description: 'Tokens of one run, in and out. The step that reaches them is its last; the run keeps what it has',
  }),
  tokens_per_day: tokens().meta({ description: 'Tokens of the runs that were started on a day (UTC)' }),
  runs_per_day: z.int().min(1).max(maxRuns).nullable().meta({ description: 'Runs started on a day (UTC)' }),
}

/** The most that runs may use; null for no limit. */
export const Budget = z.object(budgetFields).meta({ id: 'Budget' })
export type Budget = z.output<typeof Budget>

/** Runs a day of a trigger that states no budget: few enough for a trigger that starts by mistake. */
const defaultTriggerRuns = 100

const newBudget = (runsPerDay: number | null, name: string) =>
  z
    .strictObject({
      tokens_per_run: budgetFields.tokens_per_run.default(null),
      tokens_per_day: budgetFields.tokens_per_day.default(null),
      runs_per_day: budgetFields.runs_per_day.default(runsPerDay),
    })
    .meta({ id: name })

/** The budget of an agent. Without limits unless stated. */
export const NewBudget = newBudget(null, 'NewBudget')
const NewTriggerBudget = newBudget(defaultTriggerRuns, 'NewTriggerBudget')

export const BudgetPatch = z.strictObject(budgetFields).partial().meta({ id: 'BudgetPatch' })

/** The occasion of a run. */
const TriggerOccasion = z
  .union([
    z
      .strictObject({
        schedule: text(200).meta({
          description:
            'A cron expression: minute, hour, day of the month, month, day of the week; at most once a minute. If both days are given, either matches',
          examples: ['0 7 * * mon-fri'],
        }),
        timezone: timeZone().default('UTC').meta({
          description:
            'A time skipped by daylight saving time is due at the end of the gap; a repeated time is due once',
        }),
      })
      .meta({ description: 'At times. Of several times that were missed, the latest one runs' }),
    z
      .strictObject({
        event: z.enum(webhookEventKinds),
        filter: EventFilter.nullable().default(null),
      })
      .meta({ description: 'At each event of a kind, as webhook subscriptions get them' }),
  ])
  .meta({ id: 'TriggerOccasion' })
export type TriggerOccasion = z.output<typeof TriggerOccasion>

const questionOrFields = z.union([text(maxMessageText), boundedRecord(text(200), z.unknown(), maxInputMembers)])

/** A record of any values counts as one that may be left out. */
const input = z.nonoptional(questionOrFields).meta({
  description:
    'The input of each run: a question, or an object that matches the `input_schema` of the agent. The event that caused the ' +
    'run is added: below a question, or as the member `event` of an object',
})

export const NewTrigger = z
  .strictObject({
    on: TriggerOccasion,
    input,
    budget: NewTriggerBudget.prefault({}),
    enabled: z.boolean().default(true),
  })
  .meta({ id: 'NewTrigger' })

export const TriggerPatch = z
  .strictObject({
    on: TriggerOccasion.optional(),
    input: input.optional(),
    budget: BudgetPatch.optional().meta({ description: 'Members that are named change' }),
    enabled: z.boolean().optional(),
  })
  .meta({ id: 'TriggerPatch' })

/** An occasion without a run. */
const SkippedOccasion = z
  .object({ at: timestamp(), reason: z.string() })
  .meta({ id: 'SkippedOccasion', description: 'The last occasion that started no run, and why' })

export const Trigger = z
  .object({
    id: id('trg'),
    agent_id: id('agt'),
    on: TriggerOccasion,
    input: z.unknown(),
    budget: Budget,
    enabled: z.boolean(),
    acts_for: z.string().meta({
      description:
        'The principal for whom its runs act, with the scopes that it has then: the one that last changed the trigger, or the behaviour of its agent',
    }),
    next_run_at: timestamp().nullable().meta({ description: 'Null for events, and while it is disabled' }),
    last_run_id: id('run').nullable(),
    last_run_at: timestamp().nullable(),
    last_skipped: SkippedOccasion.nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Trigger' })

export const triggersPath = z.object({ agent_id: id('agt') })
export const triggerPath = z.object({ agent_id: id('agt'), id: id('trg') })
