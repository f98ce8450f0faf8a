import { data, invalidField, Problem, problem, type WorkspaceCaller } from '@wp/contracts'
import { enforceMeters, enforceQuota, newId } from '@wp/database'
import { enqueue } from '@wp/jobs'
import { requireScope } from '@wp/service'
import { compileTimestampFormat, TimestampFormatError, type TimestampReader } from '@wp/tabular'
import type { Context, Operation } from '../context.ts'
import { findTooShort } from '../forecast/index.ts'
import { checkCapacityKeys } from '../runs/input/capacities.ts'
import { checkColumns, checkPseudonymizedGroups } from '../runs/input/check-columns.ts'
import { checkClosedGroups } from '../runs/input/closures.ts'
import { withIsoTimes } from '../runs/input/inline-series.ts'
import { type RunInput, toForecastInput, toRunInput } from '../runs/input/run-input.ts'
import { forecastQueue, forecastRunQuota } from '../runs/queue.ts'
import { checkScope } from '../runs/workplace/scope.ts'
import { runView } from '../views.ts'

/**
 * Validates inline series at once. Of a source, only the columns and the caller's permission are checked; of the
 * workplace, the spaces or teams.
 */
export const startForecastRun: Operation<'startForecastRun'> = async (context, caller, { body }) => {
  const { metadata, external_id: externalId, data_source_id: sourceId, workplace, horizon } = body
  const readTime = readFormat(body.timestamp_format)
  const input = toRunInput(body.series === undefined ? body : withIsoTimes(body, readTime))
  if (workplace !== undefined)
    await context.database.read(caller, (_db, query) => checkScope(query, caller.workspaceId, { workplace, horizon }))
  else if (sourceId === undefined) refuseUnusable(input)
  else {
    const { schema, config: sourceConfig } = await requireSource(context, caller, sourceId)
    checkColumns(body, schema)
    checkPseudonymizedGroups(body, sourceConfig)
  }
  const { request: _request, ...stored } = caller
  return context.database.transact(caller, async (tx) => {
    const job = {
      id: newId('fr'),
      queue: forecastQueue,
      subject: sourceId,
      input,
      caller: stored,
      metadata,
      externalId,
    }
    const run = await enqueue(tx, job)
    await enforceMeters(tx.query, caller.workspaceId, ['forecast_runs'])
    await enforceQuota(tx.query, caller.workspaceId, forecastRunQuota)
    return runView(run)
  })
}

function readFormat(format: string | undefined): TimestampReader {
  try {
    return compileTimestampFormat(format)
  } catch (error) {
    throw error instanceof TimestampFormatError ? invalidField('/timestamp_format', error.message) : error
  }
}

async function requireSource({ internal }: Context, caller: WorkspaceCaller, sourceId: string) {
  requireScope(caller, 'data:read', 'Forecasting from a data source')
  try {
    const params = { data_source_id: sourceId }
    return await internal.call(data.getSource, caller, { params, query: {}, body: undefined })
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found')
      throw invalidField('/data_source_id', 'is not a data source of this workspace', 'unknown_reference')
    throw error
  }
}

function refuseUnusable({ parameters: asked, series = [] }: RunInput): void {
  checkCapacityKeys(asked, series)
  checkClosedGroups(asked, series)
  const [tooShort] = findTooShort(toForecastInput(asked, series))
  if (tooShort === undefined) return
  const pointer = `/series/${series.findIndex(({ key }) => key === tooShort.key)}/points`
  throw problem('series_too_short', {
    detail: tooShort.message,
    errors: [{ pointer, detail: tooShort.message }],
    extra: { required: tooShort.required, available: tooShort.available },
  })
}
