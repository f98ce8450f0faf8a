import { type EvaluationGate, type GateVerdict, problem } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { Agent } from '../store/agents/agents.ts'
import type { Db } from '../store/client.ts'
import { findLastFinished } from '../store/evaluations/evaluations.ts'
import { listResults } from '../store/evaluations/results.ts'
import { readEvaluationSet } from '../store/evaluations/sets.ts'
import { type EvaluatedVersion, judgeVersion } from './gate-verdict.ts'

interface Source {
  db: Db
  query: Query
}

/** Reads what the gate of an agent says about a version. */
export async function readGateVerdict(
  source: Source,
  workspaceId: string,
  { agentId, version: activeVersion }: Pick<Agent, 'agentId' | 'version'>,
  { gate, version }: { gate: EvaluationGate; version: number },
): Promise<GateVerdict> {
  const { evaluation_set_id: setId } = gate
  const set = await readEvaluationSet(source.db, workspaceId, setId)
  const read = (of: number) => readEvaluated(source, workspaceId, { agentId, setId, version: of })
  return judgeVersion({
    gate,
    version,
    activeVersion,
    setRevision: set?.revision ?? 0,
    candidate: await read(version),
    active: gate.no_regressions && version !== activeVersion ? await read(activeVersion) : undefined,
  })
}

async function readEvaluated(
  { db, query }: Source,
  workspaceId: string,
  key: { agentId: string; version: number; setId: string },
): Promise<EvaluatedVersion | undefined> {
  const evaluation = await findLastFinished(db, workspaceId, key)
  if (evaluation === null) return undefined
  return { evaluation, results: await listResults(query, { workspaceId, id: evaluation.id }) }
}

/** Cases that the message names; `failing_cases` has more. */
const maxNamed = 5

/** Creates the error of a version that a gate keeps from becoming the active one. It names the failing cases. */
export function gateNotPassed(version: number, { passes: _passes, ...verdict }: GateVerdict) {
  const { failing_cases: failing } = verdict
  const named = failing.slice(0, maxNamed).map(({ name, reason }) => `“${name}”: ${reason.replace(/\.$/, '')}`)
  const more = failing.length > maxNamed ? [`and ${failing.length - maxNamed} more`] : []
  const cases = named.length === 0 ? '' : ` Failing cases: ${[...named, ...more].join('; ')}`
  return problem('gate_not_passed', {
    detail: `Version ${version} does not pass the gate. ${verdict.reasons.join('. ')}.${cases}`,
    extra: { version, ...verdict },
  })
}
