import type { UseQueryResult } from '@tanstack/react-query'
import { useApiQuery } from '../../session/workspace-context.tsx'
import { byName, isCounting, type Space, type UtilizationPage } from './space-words.ts'

type Interval = 'day' | 'week' | 'weekday' | 'weekday_hour' | 'range'

/** The spaces of one request. */
export const pageSize = 100

/** The periods that pages offer, in weeks before the last day with data. */
export const periods = ['4', '12', '26', '52'] as const
export type Weeks = (typeof periods)[number]

/** Days of a number of weeks, as search parameters state it. */
export const daysOf = (weeks: Weeks): number => 7 * Number(weeks)

const countingPollMs = 5_000

/** Options of a query of figures, which are read again while weeks are still counted. */
export const whileCounting = {
  refetchInterval: ({ state: { data } }: { state: { data?: UtilizationPage | undefined } }) =>
    isCounting(data) ? countingPollMs : false,
} as const

/** Reads figures of one space or team over the last weeks with data; `range` from Monday to Friday. */
export const useUtilization = (
  subject: { space_id: string } | { team_id: string },
  interval: Interval,
  weeks: Weeks,
  withChildren = false,
): UseQueryResult<UtilizationPage> =>
  useApiQuery(
    ['utilization', subject, interval, weeks, withChildren],
    (api, options) =>
      api.solutions.getUtilization(
        {
          query: {
            ...subject,
            interval,
            days: daysOf(weeks),
            ...(interval === 'range' && { weekdays: workdays }),
            ...(withChildren && { children: 'true' }),
          },
        },
        options,
      ),
    whileCounting,
  )

/** The days that means of all days are made of: with the weekends, they would be those of no day. */
const workdays = 'mon,tue,wed,thu,fri'

/** Reads figures of up to 100 spaces or teams at once, of the last four weeks; `range` from Monday to Friday. */
export const useUtilizations = (
  kind: 'space_ids' | 'team_ids',
  ids: readonly string[] | undefined,
  interval: 'weekday' | 'range',
): UseQueryResult<UtilizationPage> =>
  useApiQuery(
    ['utilization', kind, ids, interval],
    (api, options) =>
      api.solutions.getUtilization(
        { query: { [kind]: (ids ?? []).join(','), interval, ...(interval === 'range' && { weekdays: workdays }) } },
        options,
      ),
    { ...whileCounting, enabled: ids !== undefined && ids.length > 0 },
  )

export const useSpace = (id: string): UseQueryResult<Space> =>
  useApiQuery(['spaces', id], (api, options) => api.solutions.getSpace({ params: { id } }, options))

/** Reads the spaces directly in a space, at most 100, by name. */
export const useSpacesIn = (id: string): UseQueryResult<{ spaces: Space[]; isComplete: boolean }> =>
  useApiQuery(['spaces', 'in', id], async (api, options) => {
    const { items, nextCursor } = await api.solutions.listSpaces({ query: { parent_id: id, limit: pageSize } }, options)
    return { spaces: items.toSorted(byName), isComplete: nextCursor === null }
  })
