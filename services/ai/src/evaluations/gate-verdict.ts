import type { EvaluationGate, FailingCase, GateVerdict } from '@wp/contracts'
import type { EvaluationRow } from '../store/evaluations/evaluations.ts'
import type { ResultRow } from '../store/evaluations/results.ts'

/** A finished evaluation with its results. */
export interface EvaluatedVersion {
  evaluation: Pick<EvaluationRow, 'id' | 'setRevision'>
  results: readonly GatedResult[]
}

export type GatedResult = Pick<ResultRow, 'caseId' | 'name' | 'input' | 'outcome' | 'reason'>

/** The facts by which a gate decides. */
export interface GateFacts {
  gate: EvaluationGate
  /** The revision of the evaluation set as it is now. */
  setRevision: number
  version: number
  candidate: EvaluatedVersion | undefined
  activeVersion: number
  /** The evaluation of the active version. */
  active: EvaluatedVersion | undefined
}

const maxFailingCases = 100

/** Decides whether a version may become the active one, and says why not, by cases. */
export function judgeVersion(facts: GateFacts): GateVerdict {
  const { gate, setRevision, version, candidate, activeVersion, active } = facts
  const missing = lackOf(candidate, version, setRevision)
  if (candidate === undefined || missing !== undefined)
    return refusal([missing ?? ''], { evaluationId: candidate?.evaluation.id ?? null })
  const isFirst = version === activeVersion
  const comparesWithActive = gate.no_regressions && !isFirst
  const missingActive = comparesWithActive ? lackOf(active, activeVersion, setRevision) : undefined
  const passed = candidate.results.filter(({ outcome }) => outcome === 'passed').length
  const passRate = candidate.results.length === 0 ? 0 : passed / candidate.results.length
  const passedBefore = new Set(
    comparesWithActive && missingActive === undefined && active !== undefined
      ? active.results.filter(({ outcome }) => outcome === 'passed').map(({ caseId }) => caseId)
      : [],
  )
  const failing = candidate.results
    .filter(({ outcome }) => outcome !== 'passed')
    .map((result) => toFailingCase(result, passedBefore.has(result.caseId)))
    .sort((one, other) => Number(other.regression) - Number(one.regression))
  const regressions = failing.filter(({ regression }) => regression)
  const reasons = [
    ...(passRate < gate.min_pass_rate
      ? [`${percent(passRate)} of the cases pass; the gate requires ${percent(gate.min_pass_rate)}`]
      : []),
    ...(missingActive === undefined ? [] : [`${missingActive}, so regressions cannot be ruled out`]),
    ...(regressions.length === 0 ? [] : [`${countOf(regressions.length)} with the active version ${activeVersion}`]),
  ]
  const verdict = { evaluationId: candidate.evaluation.id, passRate }
  return reasons.length > 0 ? refusal(reasons, verdict, failing) : { ...refusal([], verdict, failing), passes: true }
}

/** Returns what is wrong with the evaluation of a version; undefined if it counts. */
function lackOf(evaluated: EvaluatedVersion | undefined, version: number, setRevision: number): string | undefined {
  if (evaluated === undefined) return `Version ${version} has no finished evaluation with the set of the gate`
  return evaluated.evaluation.setRevision === setRevision
    ? undefined
    : `The cases have changed since the last evaluation of version ${version}`
}

function refusal(
  reasons: string[],
  { evaluationId, passRate = null }: { evaluationId: string | null; passRate?: number | null },
  failing: readonly FailingCase[] = [],
): GateVerdict {
  const shown = failing.slice(0, maxFailingCases)
  return { passes: false, reasons, evaluation_id: evaluationId, pass_rate: passRate, failing_cases: shown }
}

const toFailingCase = (result: GatedResult, regression: boolean): FailingCase => ({
  case_id: result.caseId,
  name: caseTitle(result),
  // Written by the worker alone.
  outcome: result.outcome as FailingCase['outcome'],
  regression,
  reason: result.reason ?? '',
})

const maxTitle = 100

/** Returns the name of a case, or else the beginning of its input. */
export function caseTitle({ name, input }: Pick<ResultRow, 'name' | 'input'>): string {
  const title = name ?? (typeof input === 'string' ? input : JSON.stringify(input))
  return title.length > maxTitle ? `${title.slice(0, maxTitle).toWellFormed()}…` : title
}

const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`

const countOf = (count: number): string => (count === 1 ? '1 failing case passes' : `${count} failing cases pass`)
