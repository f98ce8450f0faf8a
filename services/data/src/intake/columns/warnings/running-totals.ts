import { directionOf, isIdentifierName, isNameOfRole, isTimeName, wordsOf } from '@wp/tabular'
import type { ValidRow } from '../../../parsers/row.ts'
import type { ColumnPlan } from '../column-plan.ts'

type Values = ValidRow['value']

const minValues = 48
/** The name says that it is the state of a counter. */
const readingWords = /^(?:zahlerstand|meterstand|meterreading|kumul|cumul|totali[sz]er)/
const minReadings = 5
const minDays = 5
const minRowsOfDay = 4
const partOfDay = /^(?:hour|hr|hrs|stunde|std|heure|hora|ora|uur|minute)$/
/** Shares of rises: a counter rises in most of its rows, by little at times and by much at others. */
const minRises = 0.5
const littleShare = 0.05
const littleRows = 0.1
/** A counter begins again below this share of what it falls by. */
const restartShare = 0.25
const rareRestarts = 0.05

/**
 * Returns how a column of numbers goes on rising: `always`, or `daily` if it begins again each day; undefined if it
 * falls, or rises as evenly as counts that grow.
 */
export function findRunningTotal(
  plan: ColumnPlan,
  plans: readonly ColumnPlan[],
  rows: readonly Values[],
): 'always' | 'daily' | undefined {
  const { name, type } = plan
  if (type !== 'number' || isIdentifierName(name) || isTimeName(name)) return undefined
  if (isNameOfRole(name) && directionOf(name) === undefined) return undefined
  // The hour of a day rises with it.
  if (wordsOf(name).some((word) => partOfDay.test(word))) return undefined
  const time = plans.find((other) => other.type === 'timestamp')
  if (time === undefined) return undefined
  const groups = Map.groupBy(
    rows.flatMap((row) => {
      const [value, at] = [row[name], row[time.name]]
      return typeof value === 'number' && typeof at === 'string' ? [{ row, value, at }] : []
    }),
    ({ row }) => placesOf(plans, row),
  )
  const isReading = wordsOf(name).some((word) => readingWords.test(word))
  const kinds = new Set<'always' | 'daily' | undefined>()
  for (const points of groups.values()) {
    if (points.length < (isReading ? minReadings : minValues)) continue
    const sorted = points.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
    const rises = isReading && sorted.every(({ value }, at) => at === 0 || value >= (sorted[at - 1]?.value ?? 0))
    kinds.add(rises ? 'always' : kindOf(sorted))
  }
  const [kind] = kinds
  return kinds.size === 1 ? kind : undefined
}

const placesOf = (plans: readonly ColumnPlan[], row: Values): string =>
  plans
    .flatMap(({ name, type, timeOfDay }) => (type === 'string' && timeOfDay === undefined ? [row[name]] : []))
    .join('\n')

interface Point {
  value: number
  at: string
}

function kindOf(points: readonly Point[]): 'always' | 'daily' | undefined {
  const steps = points.slice(1).map(({ value, at }, index) => {
    const previous = points[index]
    const rise = value - (previous?.value ?? 0)
    return {
      rise,
      isRestart: rise < 0 && value < -rise * restartShare,
      isNewDay: previous?.at.slice(0, 10) !== at.slice(0, 10),
    }
  })
  const restarts = steps.filter(({ isRestart }) => isRestart).length
  // A counter with few digits begins again at any time.
  const isRare = restarts <= steps.length * rareRestarts
  const ofDay = steps.filter(({ isNewDay, isRestart }) => !isNewDay && !(isRare && isRestart))
  if (ofDay.some(({ rise }) => rise < 0)) return undefined
  const ofNight = steps.filter(({ isNewDay }) => isNewDay)
  const rises = (some: typeof steps) => some.filter(({ rise }) => rise > 0).length
  // Counts of each hour fall at night.
  const isOfDays = ofNight.length >= minDays && points.length >= ofNight.length * minRowsOfDay
  if (steps.every(({ rise, isRestart }) => rise >= 0 || (isRare && isRestart)))
    return rises(steps) >= steps.length * minRises && (isUneven(steps) || (isOfDays && isVaried(steps)))
      ? 'always'
      : undefined
  const falls = ofNight.filter(({ rise }) => rise < 0).length
  return isOfDays && rises(ofDay) >= ofDay.length * minRises && falls >= ofNight.length * minRises ? 'daily' : undefined
}

const isVaried = (steps: readonly { rise: number }[]): boolean => new Set(steps.map(({ rise }) => rise)).size > 2

/** Returns true if rises differ as those of a counter do between days with people and without. */
function isUneven(steps: readonly { rise: number }[]): boolean {
  const most = Math.max(...steps.map(({ rise }) => rise))
  return steps.filter(({ rise }) => rise <= most * littleShare).length >= steps.length * littleRows
}
