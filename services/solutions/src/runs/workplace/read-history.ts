import type { solutions } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { z } from 'zod'
import { fromFirst, historyLength, localMidnights } from '../../forecast/index.ts'
import type { Db } from '../../store/client.ts'
import { findAllDatasets } from '../../store/datasets.ts'
import { findSpaceDays, findTeamDays } from '../../store/utilization.ts'
import { readPrivacyThreshold } from '../../store/workplace-settings.ts'
import { peopleOf, type ShownDay, shownSpaceDay, shownTeamDay } from '../../utilization/shown-day.ts'
import { dateOf, dayOf } from '../../workplace/local-days.ts'
import { maxHistoryValues, type RunParameters, type RunResult } from '../input/run-input.ts'
import { readMissingDays } from './missing-days.ts'
import { type AskedWorkplace, readScope } from './scope.ts'

type SeriesHistory = z.input<typeof solutions.getForecastHistory.ok>['series'][number]

interface WorkplaceRun extends Pick<RunParameters, 'horizon' | 'timezone'> {
  workplace: AskedWorkplace
  result: RunResult
}

/**
 * Reads the days before a forecast of the workplace as they are counted now, with what utilization withholds withheld.
 * A space or team that was deleted has none.
 */
export async function readWorkplaceHistory(
  db: Db,
  query: Query,
  workspaceId: string,
  { workplace: asked, horizon, timezone, result: { series, history_until: last } }: WorkplaceRun,
): Promise<SeriesHistory[]> {
  if (last === undefined) return series.map(({ key }) => ({ key, points: [] }))
  const until = dateOf(dayOf(last) + 1)
  const length = Math.max(1, Math.min(historyLength('day', horizon), Math.floor(maxHistoryValues / series.length)))
  const dates = Array.from({ length }, (_, ago) => dateOf(dayOf(last) - ago)).reverse()
  const range = { since: dates[0] ?? last, until }
  const idOf = (key: Record<string, string>) => key.space ?? key.team ?? ''
  const ids = series.map(({ key }) => idOf(key))
  const threshold = await readPrivacyThreshold(query, workspaceId)
  const scope = await readScope(query, workspaceId, asked)
  const missing = await readMissingDays(query, workspaceId, scope, await findAllDatasets(db, workspaceId))
  const days = new Map<string, ShownDay>()
  if (scope.isTeam)
    for (const row of await findTeamDays(query, workspaceId, ids, range))
      days.set(`${row.teamId} ${row.day}`, shownTeamDay(row, threshold))
  else
    for (const row of await findSpaceDays(query, workspaceId, ids, range, asked.measure === 'peak' ? 'all' : 'levels'))
      days.set(`${row.spaceId} ${row.day}`, shownSpaceDay(row, threshold))
  const times = localMidnights(dates, timezone)
  return series.map(({ key }): SeriesHistory => {
    const id = idOf(key)
    const points = dates.map((date, index) => {
      const day = missing.get(id)?.has(date) ? undefined : days.get(`${id} ${date}`)
      const ts = times[index] ?? ''
      const { people, isSuppressed } = day === undefined ? noDay : peopleOf(day, asked.measure)
      return isSuppressed ? { ts, value: null, suppressed: true as const } : { ts, value: people }
    })
    return { key, points: fromFirst(points, ({ value }) => value !== null) }
  })
}

const noDay = { people: null, isSuppressed: false }
