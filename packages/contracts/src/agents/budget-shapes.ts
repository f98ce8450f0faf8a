import { z } from 'zod'
import { id } from '../core/shape/id.ts'

const [maxTokens, maxRuns, maxAmount] = [1_000_000_000, 100_000, 1_000_000_000_000]

const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be a currency of ISO 4217, such as EUR')
  .meta({ examples: ['EUR'] })

/** A limit in money. */
export const CostLimit = z
  .strictObject({
    amount: z
      .int()
      .min(1)
      .max(maxAmount)
      .meta({ description: 'In minor units, such as cents', examples: [500] }),
    currency: currency.describe('Currency of the amount, by ISO 4217'),
  })
  .meta({ id: 'CostLimit' })
export type CostLimit = z.output<typeof CostLimit>

/** The cost of calls of a model. */
export const Cost = z
  .object({
    amount: z.number().meta({
      description: 'In minor units, such as cents, with six decimals at most: a call of a model costs a part of a cent',
      examples: [0.0425],
    }),
    currency: z.string().describe('ISO 4217'),
  })
  .meta({ id: 'Cost' })
export type Cost = z.output<typeof Cost>

const tokens = () => z.int().min(1).max(maxTokens).nullable()

const budgetFields = {
  tokens_per_run: tokens().describe(
    'Tokens of one run, in and out. The step that reaches them is its last; the run keeps what it has',
  ),
  tokens_per_day: tokens().describe('Tokens of the runs that were started on a day (UTC)'),
  runs_per_day: z.int().min(1).max(maxRuns).nullable().describe('Runs started on a day (UTC)'),
  cost_per_run: CostLimit.nullable().describe(
    'Money that one run may cost. Requires a price of the model in this currency',
  ),
  cost_per_day: CostLimit.nullable().describe(
    'Money for the runs that were started on a day (UTC). Requires a price of the model in this currency',
  ),
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
      cost_per_run: budgetFields.cost_per_run.default(null),
      cost_per_day: budgetFields.cost_per_day.default(null),
    })
    .meta({ id: name })

/** The budget of an agent. Without limits unless stated. */
export const NewBudget = newBudget(null, 'NewBudget')
export const NewTriggerBudget = newBudget(defaultTriggerRuns, 'NewTriggerBudget')

export const BudgetPatch = z.strictObject(budgetFields).partial().meta({ id: 'BudgetPatch' })
export type BudgetPatch = z.output<typeof BudgetPatch>

/** The use of a day. */
const BudgetUse = z
  .object({
    runs: z.int().describe('Runs that were started'),
    tokens: z.int().describe('In and out, with those of calls in progress as far as they are known'),
    cost: Cost.nullable().describe(
      'In the currency of the budget, or else that of the most of its runs; null if none has a cost',
    ),
    runs_without_cost: z
      .int()
      .describe('Runs that `cost` leaves out, because their model had no price, or one in another currency'),
  })
  .meta({ id: 'BudgetUse', description: 'The use of the runs that were started on this day (UTC)' })

export const WorkspaceBudget = z
  .object({ workspace_id: id('ws'), budget: Budget, used_today: BudgetUse })
  .meta({ id: 'WorkspaceBudget' })

export const AgentBudget = z
  .object({ agent_id: id('agt'), budget: Budget, used_today: BudgetUse })
  .meta({ id: 'AgentBudget' })

/** Levels of autonomy, lowest first. */
export const autonomyLevels = ['ask', 'guarded', 'autonomous'] as const

export const Autonomy = z.enum(autonomyLevels).meta({
  id: 'Autonomy',
  description:
    'What needs the approval of a person. `ask`: every tool call. `guarded`: a call that changes something outside of the ' +
    'platform. `autonomous`: only a call that destroys something, or that its integration always asks for',
})
export type Autonomy = z.output<typeof Autonomy>
