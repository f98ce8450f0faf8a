import {
  type agents,
  type EvaluationExpectation,
  type InputOf,
  invalidField,
  maxEvaluationCases,
  problem,
  validationProblem,
  type WorkspaceCaller,
} from '@wp/contracts'
import { newId } from '@wp/database'
import type { Operation } from '../context.ts'
import { lineError, parseCases, patternOf } from '../evaluations/case-files.ts'
import { evaluationCaseView, evaluationSetView } from '../evaluations/evaluation-views.ts'
import { readRunView } from '../runs/run-view.ts'
import type { Tx } from '../store/client.ts'
import {
  deleteEvaluationCases,
  findEvaluationCase,
  findEvaluationCases,
  insertEvaluationCases,
  type NewCaseRow,
  updateEvaluationCaseRow,
} from '../store/evaluations/cases.ts'
import {
  type EvaluationSetRow,
  findEvaluationSet,
  lockEvaluationSet,
  reviseEvaluationSet,
} from '../store/evaluations/sets.ts'

export const listEvaluationCases: Operation<'listEvaluationCases'> = async (
  { database },
  caller,
  { params: { evaluation_set_id: setId }, query },
) => {
  const page = await database.read(caller, async (db) => {
    await findEvaluationSet(db, caller.workspaceId, setId)
    return findEvaluationCases(db, caller.workspaceId, { setId, ...query })
  })
  return { items: page.items.map(evaluationCaseView), nextCursor: page.nextCursor }
}

export const getEvaluationCase: Operation<'getEvaluationCase'> = ({ database }, caller, { params }) =>
  database.read(caller, async (db) =>
    evaluationCaseView(
      await findEvaluationCase(db, caller.workspaceId, { setId: params.evaluation_set_id, id: params.id }),
    ),
  )

export const createEvaluationCase: Operation<'createEvaluationCase'> = ({ database }, caller, { params, body }) =>
  database.transact(caller, async (tx) => {
    const set = await lockSet(tx, caller.workspaceId, params.evaluation_set_id)
    const row = { id: newId('case'), ...(await newCase(tx, caller, set, body)) }
    checkExpectation(set, row.expected)
    await addCases(tx, caller.workspaceId, set, [row])
    return evaluationCaseView(
      await findEvaluationCase(tx.db, caller.workspaceId, { setId: params.evaluation_set_id, id: row.id }),
    )
  })

type NewCaseBody = InputOf<typeof agents.createEvaluationCase>['body']

/** The answer of a run becomes the expected one, unless the request corrects it. */
async function newCase(
  tx: Tx,
  caller: WorkspaceCaller,
  { grader }: EvaluationSetRow,
  { name, input, run_id: runId, expected }: NewCaseBody,
): Promise<Omit<NewCaseRow, 'id'>> {
  // The contract demands the input and the checks where there is no run.
  if (runId === undefined) return { name, input: input ?? '', expected: expected ?? {}, runId: null }
  const run = await readRunView(tx.query, { runId, workspaceId: caller.workspaceId }, caller)
  if (run === null) throw invalidField('/run_id', 'is not a run that you may read', 'unknown_reference')
  const asked = run.input as NewCaseRow['input'] | null // null once its conversation is deleted
  const answer = run.output?.trim() ?? ''
  if (asked === null || asked === '') throw invalidField('/run_id', 'the content of the run was deleted')
  if (JSON.stringify(asked).length > maxInputLength)
    throw invalidField('/run_id', `the input of the run is longer than ${maxInputLength} characters`)
  if (expected === undefined && answer === '') throw invalidField('/run_id', 'the run has no answer; send `expected`')
  const ofAnswer = { answer: answer.slice(0, maxAnswerLength).toWellFormed() }
  const given: EvaluationExpectation = expected ?? ofAnswer
  const isPlain = given.answer !== undefined && Object.keys(given).length === 1
  return { name, input: asked, runId, expected: isPlain && grader !== null ? { ...given, grader: sameMeaning } : given }
}

const [maxInputLength, maxAnswerLength] = [20_000, 10_000]

const sameMeaning = {
  instructions: 'The answer states the same facts as the expected answer, in whatever words, and contradicts none.',
}

export const updateEvaluationCase: Operation<'updateEvaluationCase'> = ({ database, now }, caller, { params, body }) =>
  database.transact(caller, async (tx) => {
    const set = await lockSet(tx, caller.workspaceId, params.evaluation_set_id)
    const current = await findEvaluationCase(tx.db, caller.workspaceId, {
      setId: params.evaluation_set_id,
      id: params.id,
    })
    const { name = current.name, input = current.input, expected = current.expected } = body
    checkExpectation(set, expected)
    tx.audit({ changes: { fields: Object.keys(body) } })
    const changed = await updateEvaluationCaseRow(tx.db, params.id, { name, input, expected }, new Date(now()))
    await reviseEvaluationSet(tx.query, caller.workspaceId, params.evaluation_set_id)
    return evaluationCaseView(changed)
  })

export const deleteEvaluationCase: Operation<'deleteEvaluationCase'> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    await lockEvaluationSet(tx.query, caller.workspaceId, params.evaluation_set_id)
    const count = await deleteEvaluationCases(tx.db, {
      workspaceId: caller.workspaceId,
      setId: params.evaluation_set_id,
      id: params.id,
    })
    if (count === 0) throw problem('not_found')
    await reviseEvaluationSet(tx.query, caller.workspaceId, params.evaluation_set_id)
    return { id: params.id }
  })

export const importEvaluationCases: Operation<'importEvaluationCases'> = ({ database }, caller, { params, body }) => {
  const cases = parseCases(body.format, body.content)
  return database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    const set = await lockSet(tx, workspaceId, params.id)
    const lacking = set.grader === null ? cases.findIndex(({ expected }) => expected.grader !== undefined) : -1
    if (lacking >= 0)
      throw validationProblem([
        {
          ...lineError(0, '/expected/grader', lackOfGrader),
          detail: `case ${lacking + 1}: expected/grader ${lackOfGrader}`,
        },
      ])
    if (body.replace) await deleteEvaluationCases(tx.db, { workspaceId, setId: params.id })
    const rows = cases.map((each) => ({ ...each, id: newId('case'), runId: null }))
    await addCases(tx, workspaceId, set, rows)
    tx.audit({
      targets: [{ type: 'evaluation_set', id: params.id }],
      changes: { imported: rows.length, replace: body.replace },
    })
    return { imported: rows.length, set: evaluationSetView(await findEvaluationSet(tx.db, workspaceId, params.id)) }
  })
}

async function lockSet(tx: Tx, workspaceId: string, setId: string): Promise<EvaluationSetRow> {
  await lockEvaluationSet(tx.query, workspaceId, setId)
  return findEvaluationSet(tx.db, workspaceId, setId)
}

/** Adds cases to a locked set. @throws Problem `quota_exceeded` */
async function addCases(tx: Tx, workspaceId: string, { id: setId }: EvaluationSetRow, rows: readonly NewCaseRow[]) {
  await insertEvaluationCases(tx.db, { workspaceId, setId }, rows)
  const count = await reviseEvaluationSet(tx.query, workspaceId, setId)
  if (count > maxEvaluationCases)
    throw problem('quota_exceeded', {
      detail: `The set would have ${count} cases; the limit is ${maxEvaluationCases}`,
    })
}

const lackOfGrader = 'requires that the set has a model as its `grader`'

/** @throws Problem `validation_failed` with a pointer below `/expected` */
function checkExpectation({ grader }: EvaluationSetRow, expected: EvaluationExpectation): void {
  if (expected.grader !== undefined && grader === null) throw invalidField('/expected/grader', lackOfGrader)
  const pattern = patternOf(expected)
  if (pattern !== undefined) throw invalidField('/expected/matches', pattern)
}
