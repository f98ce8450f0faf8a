import { Readable } from 'node:stream'
import { type GraderModel, invalidField, problem, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import { definedFields, enforceQuota, newId } from '@wp/database'
import type { Context, Operation } from '../context.ts'
import { formatCases } from '../evaluations/case-files.ts'
import { evaluationSetView } from '../evaluations/evaluation-views.ts'
import { checkModel } from '../models/check-model.ts'
import { hasGradedCase, listAllCases } from '../store/evaluations/cases.ts'
import { isSetInUse } from '../store/evaluations/evaluations.ts'
import {
  deleteEvaluationSetRows,
  findEvaluationSet,
  findEvaluationSets,
  findGatedAgent,
  insertEvaluationSet,
  lockEvaluationSet,
  updateEvaluationSetRow,
} from '../store/evaluations/sets.ts'
import { evaluationSetQuota } from '../store/quotas.ts'

export const listEvaluationSets: Operation<'listEvaluationSets'> = async ({ database }, caller, { query }) => {
  const page = await database.read(caller, (db) => findEvaluationSets(db, caller.workspaceId, query))
  return { items: page.items.map(evaluationSetView), nextCursor: page.nextCursor }
}

export const getEvaluationSet: Operation<'getEvaluationSet'> = ({ database }, caller, { params }) =>
  database.read(caller, async (db) => evaluationSetView(await findEvaluationSet(db, caller.workspaceId, params.id)))

export const createEvaluationSet: Operation<'createEvaluationSet'> = async (context, caller, { body }) => {
  await checkGrader(context, caller, body.grader)
  return context.database.transact(caller, async (tx) => {
    const created = await insertEvaluationSet(tx.db, caller.workspaceId, { id: newId('evs'), ...body })
    await enforceQuota(tx.query, caller.workspaceId, evaluationSetQuota)
    return evaluationSetView(created)
  })
}

export const updateEvaluationSet: Operation<'updateEvaluationSet'> = async (context, caller, { params, body }) => {
  const { workspaceId } = caller
  await checkGrader(context, caller, body.grader ?? null)
  return context.database.transact(caller, async (tx) => {
    await lockEvaluationSet(tx.query, workspaceId, params.id)
    if (body.grader === null && (await hasGradedCase(tx.query, workspaceId, params.id)))
      throw invalidField('/grader', 'is required by cases with a grader')
    const { name, description, grader } = body
    const fields = definedFields({ name, description, grader })
    tx.audit({ changes: { fields: Object.keys(fields) } })
    const change = { isRevised: grader !== undefined, updatedAt: new Date(context.now()) }
    return evaluationSetView(await updateEvaluationSetRow(tx.db, params.id, fields, change))
  })
}

/** @throws Problem as `checkModel`, with a pointer below `/grader` */
const checkGrader = async (context: Context, caller: RequestCaller<WorkspaceCaller>, grader: GraderModel | null) =>
  grader === null ? undefined : checkModel(context, caller, grader, '/grader')

export const deleteEvaluationSet: Operation<'deleteEvaluationSet'> = ({ database }, caller, { params: { id } }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    await lockEvaluationSet(tx.query, workspaceId, id)
    const agent = await findGatedAgent(tx.query, workspaceId, id)
    if (agent !== undefined) throw problem('conflict', { detail: `The gate of the agent “${agent}” names the set` })
    if (await isSetInUse(tx.db, workspaceId, id))
      throw problem('conflict', { detail: 'An evaluation with the set is in progress; cancel it first' })
    await deleteEvaluationSetRows(tx.query, workspaceId, id)
    return { id }
  })

const fileTypes = { jsonl: 'application/x-ndjson', csv: 'text/csv' } as const

export const exportEvaluationCases: Operation<'exportEvaluationCases'> = async (
  { database },
  caller,
  { params: { id }, query: { format } },
) => {
  const { set, cases } = await database.read(caller, async (db) => ({
    set: await findEvaluationSet(db, caller.workspaceId, id),
    cases: await listAllCases(db, caller.workspaceId, id),
  }))
  const content = Buffer.from(formatCases(format, cases))
  return {
    contentType: fileTypes[format],
    filename: `${set.name}.${format}`,
    length: content.length,
    open: () => Readable.from([content]),
  }
}
