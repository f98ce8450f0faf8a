import {
  data,
  invalidField,
  type Operation,
  Problem,
  problem,
  type solutions,
  type WorkspaceCaller,
} from '@wp/contracts'
import { newId } from '@wp/database'
import { enqueue } from '@wp/jobs'
import type { Context } from '../context.ts'
import { findTooShort, findUnreadableTimestamp } from '../forecast/index.ts'
import { queue } from '../runs/queue.ts'
import { forecastInput, type RunInput, runInput } from '../runs/run-input.ts'
import { runView } from '../views.ts'

/** Inline series are judged at once; a source is only seen to be there and readable by the caller. */
export const startForecastRun: Operation<typeof solutions.startForecastRun, Context> = async (
  context,
  caller,
  { body },
) => {
  const { metadata, external_id: externalId, data_source_id: sourceId } = body
  const input = runInput(body)
  if (sourceId === undefined) refuseUnusable(input)
  else await requireSource(context, caller, sourceId)
  const { request: _request, ...stored } = caller
  return context.database.transact(caller, async (tx) =>
    runView(await enqueue(tx, { id: newId('fr'), queue, input, caller: stored, metadata, externalId })),
  )
}

async function requireSource({ internal }: Context, caller: WorkspaceCaller, sourceId: string): Promise<void> {
  if (!caller.scopes.includes('data:read'))
    throw problem('missing_scope', {
      detail: 'Forecasting from a data source needs the scope data:read',
      extra: { required_scope: 'data:read' },
    })
  try {
    await internal.call(data.getSource, caller, { params: { data_source_id: sourceId }, query: {}, body: undefined })
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found')
      throw invalidField('/data_source_id', 'is not a data source of this workspace', 'unknown_reference')
    throw error
  }
}

function refuseUnusable({ asked, series = [] }: RunInput): void {
  const unreadable = findUnreadableTimestamp(series)
  if (unreadable !== undefined)
    throw invalidField(
      `/series/${unreadable.series}/points/${unreadable.point}/ts`,
      'must be an ISO 8601 date or date and time',
    )
  const [tooShort] = findTooShort(forecastInput(asked, series))
  if (tooShort === undefined) return
  const pointer = `/series/${series.findIndex(({ key }) => key === tooShort.key)}/points`
  throw problem('series_too_short', {
    detail: tooShort.message,
    errors: [{ pointer, detail: tooShort.message }],
    extra: { required: tooShort.required, available: tooShort.available },
  })
}
