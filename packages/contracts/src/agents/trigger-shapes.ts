import { z } from 'zod'
import { boundedRecord } from '../core/shape/bounded.ts'
import { id } from '../core/shape/id.ts'
import { timeZone } from '../core/shape/locale.ts'
import { text, timestamp } from '../core/shape/shape.ts'
import { webhookEventKinds } from '../events/webhook-events.ts'
import { EventFilter } from '../webhooks/event-filter.ts'
import { Autonomy, Budget, BudgetPatch, NewTriggerBudget } from './budget-shapes.ts'

/** Longest text of a message or a question, in characters. */
export const maxMessageText = 100_000
/** Members of an object that is the input of a run. */
export const maxInputMembers = 100

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
        timezone: timeZone()
          .default('UTC')
          .describe('A time skipped by daylight saving time is due at the end of the gap; a repeated time is due once'),
      })
      .describe('At times. Of several times that were missed, the latest one runs'),
    z
      .strictObject({
        event: z
          .enum(webhookEventKinds)
          .describe('Kind of the events that start a run, as in `GET /v1/webhooks/events`'),
        filter: EventFilter.nullable()
          .default(null)
          .describe('Conditions that the payload of an event must meet; null: every event of the kind'),
      })
      .describe('At each event of a kind, as webhook subscriptions get them'),
  ])
  .meta({ id: 'TriggerOccasion' })
export type TriggerOccasion = z.output<typeof TriggerOccasion>

const questionOrFields = z.union([text(maxMessageText), boundedRecord(text(200), z.unknown(), maxInputMembers)])

/** A record of any values counts as one that may be left out. */
const input = z
  .nonoptional(questionOrFields)
  .describe(
    'The input of each run: a question, or an object that matches the `input_schema` of the agent. The event that caused the ' +
      'run is added: below a question, or as the member `event` of an object',
  )

const autonomy = Autonomy.nullable().describe(
  'A lower level than that of the agent, for the runs of this trigger; null: that of the agent',
)

export const NewTrigger = z
  .strictObject({
    on: TriggerOccasion,
    input,
    budget: NewTriggerBudget.prefault({}),
    autonomy: autonomy.default(null),
    enabled: z.boolean().default(true).describe('False creates it paused: it starts no run until it is enabled'),
  })
  .meta({ id: 'NewTrigger' })

export const TriggerPatch = z
  .strictObject({
    on: TriggerOccasion.optional(),
    input: input.optional(),
    budget: BudgetPatch.optional().describe('Members that are named change'),
    autonomy: autonomy.optional(),
    enabled: z.boolean().optional().describe('False pauses the trigger: it starts no run until it is enabled'),
  })
  .meta({ id: 'TriggerPatch' })

/** An occasion without a run. */
const SkippedOccasion = z
  .object({
    at: timestamp().describe('When the occasion came up'),
    reason: z.string().describe('Why no run was started, in a sentence for people'),
  })
  .meta({ id: 'SkippedOccasion', description: 'The last occasion that started no run, and why' })

export const Trigger = z
  .object({
    id: id('trg'),
    agent_id: id('agt'),
    on: TriggerOccasion,
    input: z
      .unknown()
      .describe('The input of each run: a question, or an object that matches the `input_schema` of the agent'),
    budget: Budget,
    autonomy,
    enabled: z.boolean().describe('True unless the trigger is paused'),
    acts_for: z
      .string()
      .describe(
        'The principal for whom its runs act, with the scopes that it has then: the one that last changed the trigger, or the behaviour of its agent',
      ),
    next_run_at: timestamp().nullable().describe('Null for events, and while it is disabled'),
    upcoming: z.array(timestamp()).describe('Its next times, three at most; empty for events'),
    last_run_id: id('run').nullable().describe('The run that it started last; null before the first'),
    last_run_at: timestamp().nullable().describe('When it started its last run; null before the first'),
    last_skipped: SkippedOccasion.nullable().describe('The last occasion that started no run; null if there was none'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Trigger' })

export const triggersPath = z.object({ agent_id: id('agt') })
export const triggerPath = z.object({ agent_id: id('agt'), id: id('trg') })
