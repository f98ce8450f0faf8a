import { setImmediate } from 'node:timers/promises'
import { Problem, problem } from '@wp/contracts'
import { JobFailure } from '@wp/jobs'
import { requireScope } from '@wp/service'
import { compareSeries, scoresOf } from '../accuracy.ts'
import type { Operation } from '../context.ts'
import { readFinishedRun } from '../runs/finished-run.ts'
import { groupKeyOf } from '../runs/input/group-settings.ts'
import { minUsableShareOf } from '../runs/input/run-input.ts'
import { type CollectedSeries, collectSeries } from '../runs/series/collect-series.ts'
import { usableShareOf } from '../runs/series/require-usable-rows.ts'

/** Reads the data source of a run again and compares its values with the points. */
export const getForecastAccuracy: Operation<'getForecastAccuracy'> = async (context, caller, { params, signal }) => {
  const { job, input, series } = await readFinishedRun(context, caller, params.id)
  const { parameters } = input
  if (parameters.data_source_id === undefined) {
    const of = parameters.workplace === undefined ? 'has inline series' : 'is of the workplace'
    throw problem('conflict', { detail: `The run ${of}; only a run of a data source can be compared` })
  }
  requireScope(caller, 'data:read', 'Comparing a run with its data source')
  const actual = await collectSeries(context, caller, input, signal).catch(toActualValues)
  const groups = new Map(actual.map((one) => [groupKeyOf(one.key, parameters), one]))
  const compared = []
  for (const { key, points } of series) {
    signal.throwIfAborted()
    // Long series take a while: other requests are served between them.
    await setImmediate()
    const values = groups.get(groupKeyOf(key, parameters)) ?? { key, points: [], warnings: [], unusable: null }
    // A comparison with a part of the values would be wrong, so there is none; the warnings state the reason.
    const isUsable = usableShareOf(values.points, values.unusable) >= minUsableShareOf(parameters)
    const sums = compareSeries(isUsable ? points : [], values, parameters)
    compared.push({ key, warnings: values.warnings, sums })
  }
  return {
    id: job.id,
    ...scoresOf(compared.map(({ sums }) => sums)),
    series: compared.map(({ key, sums, warnings }) => ({ key, ...scoresOf([sums]), warnings })),
  }
}

/** @throws Problem `conflict` if the source cannot be compared; returns nothing if it has no usable row */
function toActualValues(error: unknown): CollectedSeries[] {
  if (error instanceof JobFailure && error.error.code === 'no_data') return []
  if (error instanceof JobFailure) throw problem('conflict', { detail: error.error.message })
  if (error instanceof Problem && error.code === 'not_found')
    throw problem('conflict', { detail: 'The data source of the run was deleted' })
  throw error
}
