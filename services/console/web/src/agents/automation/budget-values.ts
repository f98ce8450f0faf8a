import { BudgetPatch, type CostLimit } from '@wp/contracts'
import { z } from 'zod'
import { readNumber } from '../../ui/form/number-text.ts'
import { currencyDigits, minorUnitsOf } from '../../ui/format/format.ts'
import { typedNumber } from '../../ui/format/number-signs.ts'

export type BudgetView = Required<z.output<typeof BudgetPatch>>

/**
 * The fields of the form of a budget, as texts while they are typed, at the paths of the body, so that its errors find
 * them. Money is in whole units, such as euros.
 */
export interface BudgetValues {
  runs_per_day: string
  tokens_per_day: string
  tokens_per_run: string
  cost_per_day: { amount: string }
  cost_per_run: { amount: string }
  currency: string
}

const unitsText = (cost: CostLimit | null | undefined) => ({
  amount: cost ? typedNumber((cost.amount / minorUnitsOf(cost.currency)).toFixed(currencyDigits(cost.currency))) : '',
})

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
  .transform(({ currency, ...values }, context): unknown => {
    const count = (name: 'runs_per_day' | 'tokens_per_day' | 'tokens_per_run') =>
      readNumber(values[name], context, name)
    const money = (name: 'cost_per_day' | 'cost_per_run') => {
      const units = readNumber(values[name].amount, context, name, 'amount')
      return units === null ? null : { amount: Math.round(units * minorUnitsOf(currency)), currency }
    }
    return {
      runs_per_day: count('runs_per_day'),
      tokens_per_day: count('tokens_per_day'),
      tokens_per_run: count('tokens_per_run'),
      cost_per_day: money('cost_per_day'),
      cost_per_run: money('cost_per_run'),
    }
  })
  .pipe(BudgetPatch)
