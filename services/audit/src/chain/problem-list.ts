import type { ChainProblem } from '@wp/contracts'
import type { z } from 'zod'
import type { ChainedRecord } from '../store/record-types.ts'

type Problem = z.output<typeof ChainProblem>

/** Problems that are listed; further ones are only counted. */
export const maxProblems = 100

/** The problems found in a chain so far. */
export interface ProblemList {
  problems: Problem[]
  problemCount: number
  /** Adjacent records moved by the same number of positions, not reported yet. */
  movedRange: { from: number; to: number; id: string; shift: number } | undefined
}

export const emptyProblemList = (): ProblemList => ({ problems: [], problemCount: 0, movedRange: undefined })

/** Adds a problem. After `maxProblems`, problems are only counted. */
export function report(list: ProblemList, kind: Problem['kind'], seq: number, id: string | null, detail: string): void {
  list.problemCount += 1
  if (list.problems.length < maxProblems) list.problems.push({ seq, id, kind, detail })
}

/** Reports the positions from `from` to `to`, inclusive, as missing. */
export function reportMissing(list: ProblemList, from: number, to: number): void {
  const detail = from === to ? `record ${from} is missing` : `records ${from} to ${to} are missing`
  report(list, 'missing', from, null, detail)
}

/** Adds a moved record. Adjacent records moved by the same number of positions become one problem. */
export function addToMovedRange(list: ProblemList, { seq, id }: ChainedRecord, shift: number): void {
  const { movedRange } = list
  if (movedRange !== undefined && movedRange.shift === shift && movedRange.from === seq + 1) {
    list.movedRange = { ...movedRange, from: seq, id }
    return
  }
  reportMovedRange(list)
  list.movedRange = { from: seq, to: seq, id, shift }
}

/** Reports the range of moved records collected so far, if any. */
export function reportMovedRange(list: ProblemList): void {
  if (list.movedRange === undefined) return
  const { from, to, id, shift } = list.movedRange
  const which = from === to ? `record ${from} was` : `records ${from} to ${to} were`
  report(list, 'altered', from, id, `${which} moved by ${shift} and not changed otherwise`)
  list.movedRange = undefined
}
