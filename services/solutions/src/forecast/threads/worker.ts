/** A worker thread of `ForecastThreads`: does one task for each message. */
import { answerMessages } from '../../answer-messages.ts'
import { ForecastInputError } from '../errors.ts'
import { forecast } from '../forecast.ts'
import { type CombineOptions, combineHierarchy } from '../hierarchy/combine-hierarchy.ts'
import { forecastNode, type NodeResult, type NodeTask } from '../hierarchy/node/node-forecast.ts'
import type { PreparedHierarchy } from '../hierarchy/prepare.ts'
import type { HierarchyForecast } from '../hierarchy/shapes.ts'
import type { ForecastInput, ForecastOutput } from '../shapes.ts'

/** The work of one thread at a time: a series, a node of a hierarchy, or all of its nodes together. */
export type ThreadTask =
  | { kind: 'series'; input: ForecastInput }
  | { kind: 'node'; task: NodeTask }
  | { kind: 'hierarchy'; prepared: PreparedHierarchy; results: NodeResult[]; options: CombineOptions }

export type TaskOutput =
  | { kind: 'series'; output: ForecastOutput }
  | { kind: 'node'; result: NodeResult }
  | { kind: 'hierarchy'; forecast: HierarchyForecast }
  | { kind: 'refused'; code: ForecastInputError['code']; message: string }

function perform(work: ThreadTask, onProgress: (fraction: number) => void): TaskOutput {
  try {
    if (work.kind === 'series') return { kind: 'series', output: forecast(work.input, onProgress) }
    if (work.kind === 'node') return { kind: 'node', result: forecastNode(work.task, onProgress) }
    const { prepared, results, options } = work
    return { kind: 'hierarchy', forecast: combineHierarchy(prepared, results, options, onProgress) }
  } catch (error) {
    // Errors lose their class between threads, so the typed one is sent as data; others end the thread.
    if (!(error instanceof ForecastInputError)) throw error
    return { kind: 'refused', code: error.code, message: error.message }
  }
}

function transferOf(output: TaskOutput): ArrayBuffer[] {
  if (output.kind !== 'hierarchy') return []
  const { buffer } = output.forecast.paths.values
  return buffer instanceof ArrayBuffer ? [buffer] : []
}

answerMessages(perform, transferOf)
