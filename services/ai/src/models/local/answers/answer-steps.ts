import { isDeepStrictEqual } from 'node:util'
import type { ToolOutcome } from '../tool-results.ts'

export interface Call {
  tool: string
  input: Record<string, unknown>
}

/** The next step of a run: tool calls, or the answer. */
export type Decision = { calls: Call[] } | { answer: string }

/** Yields tool calls, receives their results in order, and returns the answer. */
export type AnswerSteps = Steps<string>
/** Yields tool calls, receives their results in order, and returns a result. */
export type Steps<Result> = Generator<Call[], Result, ToolOutcome[]>

/** Makes calls and returns their outcomes, failed ones too. */
export function* callAll(...calls: Call[]): Steps<ToolOutcome[]> {
  return yield calls
}

/** Runs several steps side by side: what each asks for next is called at once. */
export function* together<Result>(all: readonly Steps<Result>[]): Steps<Result[]> {
  const states = all.map((steps) => steps.next())
  while (states.some(({ done }) => done !== true)) {
    const wanted = states.map((state) => (state.done === true ? [] : state.value))
    const outcomes = yield wanted.flat()
    let used = 0
    for (const [at, calls] of wanted.entries()) {
      const steps = all[at]
      if (states[at]?.done !== true && steps !== undefined)
        states[at] = steps.next(outcomes.slice(used, used + calls.length))
      used += calls.length
    }
  }
  return states.flatMap((state) => (state.done === true ? [state.value] : []))
}

/** Makes a call. @throws CallFailure if it failed */
export function* call(tool: string, input: Record<string, unknown>): Steps<ToolOutcome> {
  const [outcome] = yield [{ tool, input }]
  if (outcome === undefined || outcome.failure !== undefined) throw new CallFailure(tool, outcome?.failure ?? '')
  return outcome
}

/** Thrown when a call that the answer needs has failed. The message is that of the tool. */
export class CallFailure extends Error {
  readonly tool: string
  constructor(tool: string, message: string) {
    super(message)
    this.tool = tool
  }
}

/** Runs steps with the outcomes so far. Steps are pure, so they are run from the beginning at each step of a run. */
export function nextDecision(steps: AnswerSteps, outcomes: readonly ToolOutcome[]): Decision {
  let next = steps.next()
  while (next.done !== true) {
    const found = next.value.map(({ tool, input }) =>
      outcomes.find((outcome) => outcome.tool === tool && isDeepStrictEqual(outcome.input, input)),
    )
    const calls = next.value.filter((_call, at) => found[at] === undefined)
    if (calls.length > 0) return { calls }
    next = steps.next(found.filter((outcome) => outcome !== undefined))
  }
  return { answer: next.value }
}
