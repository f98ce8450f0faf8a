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

/** Does a task on the calling thread. */
export function perform(work: ThreadTask, onProgress: (fraction: number) => void): TaskOutput {
  if (work.kind === 'series') return { kind: 'series', output: forecast(work.input, onProgress) }
  if (work.kind === 'node') return { kind: 'node', result: forecastNode(work.task, onProgress) }
  const { prepared, results, options } = work
  return { kind: 'hierarchy', forecast: combineHierarchy(prepared, results, options, onProgress) }
}

/** Returns the buffers of an output that are moved to the other thread instead of copied. */
export function transferOf(output: TaskOutput): ArrayBuffer[] {
  if (output.kind !== 'hierarchy') return []
  const { buffer } = output.forecast.paths.values
  return buffer instanceof ArrayBuffer ? [buffer] : []
}
