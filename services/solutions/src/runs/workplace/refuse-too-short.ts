import { problem, type WorkspaceCaller } from '@wp/contracts'
import { enforceMeters, type Query, readQuotaUsage } from '@wp/database'
import { minimumDays } from '../../forecast/index.ts'
import type { Db } from '../../store/client.ts'
import { countStaleWeeks } from '../../store/facts.ts'
import { hasHistory } from '../../store/forecast-series.ts'
import { readPrivacyThreshold } from '../../store/workplace-settings.ts'
import type { RunParameters } from '../input/run-input.ts'
import { forecastRunQuota } from '../queue.ts'
import { leaveOut } from './leave-out.ts'
import { nothingToForecast } from './plan-hierarchy.ts'
import { findHistory, measureOf, readWorkplace } from './read-workplace.ts'
import type { AskedWorkplace } from './scope.ts'

/**
 * Refuses a run before it starts if every space or team has too little history: of one that fails, everyone in the
 * workspace is notified. While weeks are still being counted, it may have enough when it runs. Where one at the top has
 * enough, no more is read than the days that the forecast needs; over its quotas, nothing is read.
 * @throws Problem `series_too_short`, or `quota_exceeded` if a meter is exhausted
 */
export async function refuseTooShort(
  db: Db,
  query: Query,
  { workspaceId }: WorkspaceCaller,
  { workplace: asked, horizon, timezone }: Pick<RunParameters, 'horizon' | 'timezone'> & { workplace: AskedWorkplace },
  now: Date,
): Promise<void> {
  await enforceMeters(query, workspaceId, ['forecast_runs'])
  // The transaction that starts the run refuses it.
  const uses = await readQuotaUsage(query, workspaceId, [forecastRunQuota])
  if (uses.some(({ limit, current }) => current >= limit)) return
  if ((await countStaleWeeks(query, workspaceId)) > 0) return
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(now)
  const history = await findHistory(db, query, workspaceId, asked, today)
  // Without any history, the run says so.
  if (history === undefined) return
  const requiredDays = minimumDays(horizon)
  const ids = history.scope.nodes.flatMap(({ id, parentId }) => (parentId === null ? [id] : []))
  const people = await readPrivacyThreshold(query, workspaceId)
  const asksFor = { measure: measureOf(asked), ids, last: history.last, days: requiredDays, people }
  if (await hasHistory(query, workspaceId, asksFor)) return
  const { nodes, threshold, isTeam } = await readWorkplace(db, query, workspaceId, asked, today)
  const leftOut = leaveOut(nodes, { threshold, requiredDays, isTeam })
  const available = Math.max(...[...leftOut.values()].map(({ days = 0 }) => days))
  if (leftOut.size < nodes.length || available <= 0) return
  const { message: detail } = nothingToForecast(nodes, leftOut, { requiredDays, isTeam })
  const errors = [{ pointer: '/horizon', detail }]
  throw problem('series_too_short', { detail, errors, extra: { required: requiredDays, available } })
}
