import type { ModelMessage } from 'ai'
import type { MarkedRecord } from '../../tools/record-markers.ts'
import type { RunWarning } from '../run-input.ts'

/** A tool call of a model. */
export interface RequestedCall {
  /** Unique in the run. */
  callId: string
  tool: string
  input: unknown
  /** The reason why the call cannot be made, for the model. */
  invalid?: string
  /** The result as the model reads it, once there is one. */
  resultText?: string
}

/** The state of a run between two steps, from which any worker can continue. */
export interface RunState {
  /** Number of model calls that have ended. */
  step: number
  /** The messages of the model and the results of tools in this run. */
  messages: ModelMessage[]
  /** The tool calls of the last step without an answer to the model. */
  calls: RequestedCall[]
  /** The records that tools have returned, which an answer can cite. */
  records: MarkedRecord[]
  /** Characters of text that the model has written. */
  outputLength: number
  warnings: RunWarning[]
  /** Time spent running, without waiting. */
  usedMs: number
}

export const initialState = (): RunState => ({
  step: 0,
  messages: [],
  calls: [],
  records: [],
  outputLength: 0,
  warnings: [],
  usedMs: 0,
})
