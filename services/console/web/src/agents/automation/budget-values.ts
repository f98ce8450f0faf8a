import { BudgetPatch, type CostLimit } from '@wp/contracts'
import { z } from 'zod'
import { currencyDigits, minorUnitsOf } from '../../ui/format/format.ts'
import { parseNumber, typedNumber } from '../../ui/format/number-signs.ts'

export type BudgetView = Required<z.output<typeof BudgetPatch>>

/** The fields of the form of a budget, as texts while they are typed. Money is in whole units, such as euros. */
export interface BudgetValues {
  runs_per_day: string
  tokens_per_day: string
  tokens_per_run: string
  cost_per_day: string
  cost_per_run: string
  currency: string
}

const unitsText = (cost: CostLimit | null | undefined) =>
  cost ? typedNumber((cost.amount / minorUnitsOf(cost.currency)).toFixed(currencyDigits(cost.currency))) : ''

export const toBudgetValues = (budget: BudgetView): BudgetValues => ({
  runs_per_day: budget.runs_per_day?.toString() ?? '',
  tokens_per_day: budget.tokens_per_day?.toString() ?? '',
  tokens_per_run: budget.tokens_per_run?.toString() ?? '',
  cost_per_day: unitsText(budget.cost_per_day),
  cost_per_run: unitsText(budget.cost_per_run),
  currency: budget.cost_per_day?.currency ?? budget.cost_per_run?.currency ?? 'EUR',
})

/** A schema that turns the values of the form into the body of a change. */
export const budgetSchema = z
  .custom<BudgetValues>()
  .transform(({ currency, ...values }): unknown => {
    const count = (text: string) => (text.trim() === '' ? null : parseNumber(text))
    const money = (text: string) =>
      text.trim() === '' ? null : { amount: Math.round(parseNumber(text) * minorUnitsOf(currency)), currency }
    return {
      runs_per_day: count(values.runs_per_day),
      tokens_per_day: count(values.tokens_per_day),
      tokens_per_run: count(values.tokens_per_run),
      cost_per_day: money(values.cost_per_day),
      cost_per_run: money(values.cost_per_run),
    }
  })
  .pipe(BudgetPatch)
