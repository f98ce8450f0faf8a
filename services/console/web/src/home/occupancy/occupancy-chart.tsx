import { Chart, type ChartSeries } from '../../ui/chart/chart.tsx'
import type { ChartColour } from '../../ui/chart/chart-data.ts'
import { useWordFormat } from '../../ui/format/format-time.ts'
import type { ChartDay, SiteDays } from './occupancy.ts'

const colours = [1, 2, 3, 4, 5] as const

/** Draws the share of places by day: counted days as lines, expected ones dashed. */
export function OccupancyChart({ sites: allSites, days }: { sites: readonly SiteDays[]; days: readonly ChartDay[] }) {
  const sites = allSites.filter(({ counted, expected }) => counted.size + expected.size > 0)
  const firstExpected = days.find(({ isExpected }) => isExpected)
  const series = sites.flatMap(({ name, counted, expected }, index): ChartSeries[] => {
    const colour: ChartColour = colours[index] ?? 6
    const last = days.findLast(({ date }) => counted.has(date))?.date
    return [
      { label: name, colour, values: days.map(({ date, isGap }) => (isGap ? null : percent(counted.get(date)))) },
      ...(expected.size === 0
        ? []
        : [
            {
              label: sites.length === 1 ? 'Expected' : `${name}, expected`,
              colour,
              kind: 'dashed' as const,
              // It begins at the last counted day, so that the two lines meet.
              values: days.map(({ date, isGap }) =>
                isGap ? null : percent(date === last ? counted.get(date) : expected.get(date)),
              ),
            },
          ]),
    ]
  })
  const formatDay = useWordFormat('longDay', 'UTC')
  return (
    <Chart
      title="People of each day, as a share of the places"
      times={days.map(({ date }) => Date.parse(date))}
      series={series}
      height={260}
      timeZone="UTC"
      formatValue={(value) => `${Math.round(value)} %`}
      formatTime={formatDay}
      marker={firstExpected && { time: Date.parse(firstExpected.date), label: 'Expected' }}
    />
  )
}

const percent = (share: number | null | undefined): number | null =>
  share === null || share === undefined ? null : Math.round(1000 * share) / 10
