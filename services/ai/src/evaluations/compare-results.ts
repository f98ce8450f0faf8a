import { isDeepStrictEqual } from 'node:util'
import type { CaseOutcome, ComparedCase } from '@wp/contracts'
import type { ResultRow } from '../store/evaluations/results.ts'
import { caseTitle } from './gate-verdict.ts'

const maxAnswer = 500

/** Compares the results of two evaluations case by case: the worse ones first, then the better, then the equal. */
export function compareResults(baseline: readonly ResultRow[], results: readonly ResultRow[]): ComparedCase[] {
  const before = new Map(baseline.map((result) => [result.caseId, result]))
  const after = new Map(results.map((result) => [result.caseId, result]))
  const cases = [...new Set([...after.keys(), ...before.keys()])].flatMap((caseId) => {
    const [old, current] = [before.get(caseId), after.get(caseId)]
    const known = current ?? old
    if (known === undefined) return []
    const change = changeOf(old, current)
    return [{ case_id: caseId, name: caseTitle(known), change, before: shortResult(old), after: shortResult(current) }]
  })
  return cases.sort((one, other) => order.indexOf(one.change) - order.indexOf(other.change))
}

const order: readonly ComparedCase['change'][] = ['worse', 'better', 'equal', 'not_comparable']

function changeOf(before: ResultRow | undefined, after: ResultRow | undefined): ComparedCase['change'] {
  if (before === undefined || after === undefined) return 'not_comparable'
  if (!isDeepStrictEqual([before.input, before.expected], [after.input, after.expected])) return 'not_comparable'
  const [passedBefore, passesNow] = [before.outcome === 'passed', after.outcome === 'passed']
  if (passedBefore === passesNow) return 'equal'
  return passesNow ? 'better' : 'worse'
}

const shortResult = (result: ResultRow | undefined): ComparedCase['before'] =>
  result === undefined
    ? null
    : {
        outcome: result.outcome as CaseOutcome | null, // written by the worker alone
        reason: result.reason,
        answer: result.answer === null ? null : result.answer.slice(0, maxAnswer).toWellFormed(),
      }
