import { wordsOf } from '@wp/tabular'
import type { IntakeWarning } from '../../raw-table.ts'
import type { ColumnPlan } from '../column-plan.ts'
import { withoutDivisor } from './time-warnings.ts'

/** Names of the parts of a date, the largest first. */
const year = /^(?:year|jahr|annee|anno|ano|jaar|rok)$/
const periods = [
  /^(?:week|woche|kw|semaine|semana|settimana)$/,
  /^(?:month|monat|mois|mes|mese|maand)$/,
  /^(?:quarter|quartal|trimestre)$/,
]
const day = /^(?:day|tag|jour|dia|giorno|dag)$/

/** Finds the date of a table without times whose year and month, or week, are in columns of their own. */
export function findSplitDate(plans: readonly ColumnPlan[]): { names: string[]; warning: IntakeWarning } | undefined {
  if (plans.some(({ type }) => type === 'timestamp')) return undefined
  const called = (pattern: RegExp) =>
    plans.find(({ name }) => wordsOf(withoutDivisor(name)).some((word) => pattern.test(word)))?.name
  const [ofYear, ofPeriod] = [called(year), periods.map(called).find((name) => name !== undefined)]
  if (ofYear === undefined || ofPeriod === undefined || ofYear === ofPeriod) return undefined
  const names = [...new Set([ofYear, ofPeriod, called(day) ?? ofPeriod])]
  const listed = names.map((name) => `"${name}"`).join(', ')
  const message = `The date is in columns of its own: ${listed}. Forecasts and utilization read one column: join them to dates such as 2026-01-31, or to weeks such as 2026-W05, and upload the file again`
  return { names, warning: { code: 'split_date', message } }
}
