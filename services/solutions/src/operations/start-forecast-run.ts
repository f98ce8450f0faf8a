import { data, invalidField, Problem, problem, type WorkspaceCaller } from '@wp/contracts'
import { enforceMeters, enforceQuota, newId } from '@wp/database'
import { enqueue } from '@wp/jobs'
import { requireScope } from '@wp/service'
import { compileTimestampFormat, TimestampFormatError, type TimestampReader } from '@wp/tabular'
import type { Context, Operation } from '../context.ts'
import { findTooShort } from '../forecast/index.ts'
import { checkColumns, checkPseudonymizedGroups } from '../runs/input/check-columns.ts'
import { checkCapacityKeys, checkClosedGroups } from '../runs/input/group-settings.ts'
import { type RunBody, type RunInput, toForecastInput, toRunInput } from '../runs/input/run-input.ts'
import { forecastQueue, forecastRunQuota } from '../runs/queue.ts'
import { quoteValue } from '../runs/quote-value.ts'
import { describeSeveralPlaces } from '../runs/series/describe-several-places.ts'
import { refuseTooShort } from '../runs/workplace/refuse-too-short.ts'
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
    await context.database.read(caller, async (db, query) => {
      await checkScope(query, caller.workspaceId, { workplace, horizon })
      await refuseTooShort(db, query, caller, { ...input.parameters, workplace }, new Date())
    })
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
  for (const [position, { points }] of asked.aggregation === 'max' ? series.entries() : []) {
    const fault = describeSeveralPlaces(points)
    if (fault !== null) throw invalidField(`/series/${position}/points`, fault)
  }
  const [tooShort] = findTooShort(toForecastInput(asked, series))
  if (tooShort === undefined) return
  const pointer = `/series/${series.findIndex(({ key }) => key === tooShort.key)}/points`
  throw problem('series_too_short', {
    detail: tooShort.message,
    errors: [{ pointer, detail: tooShort.message }],
    extra: { required: tooShort.required, available: tooShort.available },
  })
}

/**
 * Returns the body with all times of its inline series as ISO 8601.
 * @throws Problem `validation_failed` with a pointer to the first time that cannot be read
 */
function withIsoTimes(body: RunBody, readTime: TimestampReader): RunBody {
  const { series = [], timestamp_format: format } = body
  return {
    ...body,
    series: series.map(({ key, points }, position) => ({
      key,
      points: points.map(({ ts, value }, index) => {
        const time = readTime(ts)
        if (time === undefined) throw unreadable(`/series/${position}/points/${index}/ts`, ts, format)
        return { ts: time, value }
      }),
    })),
  }
}

const unreadable = (pointer: string, ts: string, format: string | undefined) =>
  invalidField(
    pointer,
    format === undefined
      ? `${quoteValue(ts)} is not an ISO 8601 date, or date and time; state another format in timestamp_format, for example DD.MM.YYYY HH:mm`
      : `${quoteValue(ts)} is not a time of the format ${format}`,
  )
