import { useMemo } from 'react'
import { formatCount } from '../../../ui/format/format.ts'
import { useReader } from '../../../ui/format/reader.ts'
import { isolate } from '../../../ui/format/untrusted-text.ts'
import type { Recommendation } from '../../recommendations/read-figures.ts'
import { fullShare, type Peak } from '../chart-data.ts'
import { describeBusiest, isDoubtfulSum } from '../forecast-words.ts'
import { fullestFirst, type Group, outermost } from '../rank-groups.ts'
import { type ForecastRunDetail, runInput } from '../run-input.ts'
import styles from './forecast.module.css'

/** The result in one sentence: when it is busiest, where, and how full that is. */
export function Headline({
  run,
  groups,
  recommendations,
}: {
  run: ForecastRunDetail
  groups: readonly Group[]
  recommendations: readonly Recommendation[]
}) {
  const read = runInput(run)
  const isDoubtful = groups.some(({ series: { warnings } }) => isDoubtfulSum(warnings))
  const { locale } = useReader()
  const sentences = useMemo(() => {
    const input = isDoubtful ? { ...read, value_field: '' } : read
    const usable = groups.filter(({ peak }) => peak !== null)
    const [fullest] = usable.toSorted(fullestFirst)
    if (fullest?.peak == null) return []
    const where = groups.length === 1 ? undefined : isolate(fullest.name)
    const total = input.workplace === undefined ? undefined : totalOf(usable)
    const full = usable.filter(({ peak }) => peak !== null && (peak.share ?? 0) >= fullShare)
    return [
      ...(total?.peak == null ? [] : [describeBusiest(total.peak, input, { where: total.name, locale })]),
      // Of a tree without capacities, the fullest group is the total itself.
      ...(total !== undefined && fullest.peak.share === null
        ? []
        : [
            describeBusiest(fullest.peak, input, {
              locale,
              where,
              demand: demandOf(fullest, recommendations),
              first: total === undefined ? 'Busiest' : 'Fullest',
            }),
          ]),
      ...(full.length > 1 ? [`${full.length} of ${groups.length} are expected to be full: ${listNames(full)}`] : []),
    ]
  }, [groups, recommendations, read, isDoubtful, locale])
  return (
    <div className={styles.sentence}>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}.</p>
      ))}
    </div>
  )
}

const maxNamed = 3

const listNames = (groups: readonly Group[]): string => {
  const names = groups.slice(0, maxNamed).map(({ name }) => isolate(name))
  const others = groups.length - names.length
  return new Intl.ListFormat('en').format(others === 0 ? names : [...names, formatCount(others, 'other')])
}

/** Returns the people who would come to a full group, from the recommendation about it. */
function demandOf({ series: { key } }: Group, recommendations: readonly Recommendation[]): number | undefined {
  const keyText = JSON.stringify(Object.entries(key).toSorted())
  const alert = recommendations.find(
    (one) => one.kind === 'capacity_alert' && JSON.stringify(Object.entries(one.key).toSorted()) === keyText,
  )
  const demand = alert?.figures.peak_forecast
  return typeof demand === 'number' ? demand : undefined
}

/** Returns the peak of all that is forecast together: levels of the workplace add up. */
function totalOf(groups: readonly Group[]) {
  const roots = outermost(groups)
  const [first, ...others] = roots
  if (first === undefined) return undefined
  if (others.length === 0) return { name: isolate(first.name), peak: first.peak }
  const totals = first.series.points.map(({ ts: time }, step) => ({
    time,
    share: null,
    upper: null,
    value: roots.reduce((sum, { series }) => sum + (series.points[step]?.mean ?? 0), 0),
  }))
  const peak = totals.reduce<Peak | null>((most, one) => (most === null || one.value > most.value ? one : most), null)
  return { name: `${listNames(roots)} together`, peak }
}
