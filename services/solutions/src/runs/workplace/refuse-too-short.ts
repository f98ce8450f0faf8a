import { problem } from '@wp/contracts'
import type { Query } from '@wp/database'
import { type Job, JobFailure } from '@wp/jobs'
import { minimumDays } from '../../forecast/index.ts'
import type { Db } from '../../store/client.ts'
import type { RunParameters } from '../input/run-input.ts'
import { leaveOut } from './leave-out.ts'
import { nothingToForecast } from './plan-hierarchy.ts'
import { readWorkplace } from './read-workplace.ts'
import type { AskedWorkplace } from './scope.ts'

/**
 * Refuses a run before it starts if every space or team has too little history: of one that fails, everyone in the
 * workspace is notified. While weeks are still being counted, it may have enough when it runs.
 * @throws Problem `series_too_short`
 */
export async function refuseTooShort(
  db: Db,
  query: Query,
  { workspaceId, createdAt }: Job,
  { workplace: asked, horizon, timezone }: RunParameters & { workplace: AskedWorkplace },
): Promise<void> {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(createdAt)
  const workplace = await readWorkplace(db, query, workspaceId, asked, today).catch((error: unknown) => {
    // Without any history, the run says so.
    if (!(error instanceof JobFailure)) throw error
  })
  if (workplace === undefined || workplace.pendingWeeks > 0) return
  const { nodes, threshold, isTeam } = workplace
  const requiredDays = minimumDays(horizon)
  const leftOut = leaveOut(nodes, { threshold, requiredDays, isTeam })
  const available = Math.max(...[...leftOut.values()].map(({ days = 0 }) => days))
  if (leftOut.size < nodes.length || available <= 0) return
  const { message: detail } = nothingToForecast(nodes, leftOut, { requiredDays, isTeam })
  const errors = [{ pointer: '/horizon', detail }]
  throw problem('series_too_short', { detail, errors, extra: { required: requiredDays, available } })
}
