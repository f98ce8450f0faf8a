import { invalidField, problem, type WorkspaceCaller } from '@wp/contracts'
import { lockJob, resumeJob } from '@wp/jobs'
import { requireScope } from '@wp/service'
import type { Operation } from '../context.ts'
import { changeRun } from '../runs/change-run.ts'
import { agentRunQueue } from '../runs/queue.ts'
import { listSteps, type RunStep, writeDecision } from '../store/runs/run-steps.ts'

/** Records the decision. The run continues when each of its waiting calls is decided. */
export const approveRun: Operation<'approveRun'> = (context, caller, { params, body }) =>
  changeRun(context, caller, params.id, async (tx, key) => {
    const { approved: isApproved, reason = null } = body
    if (isApproved) requireApprover(caller)
    const jobKey = { id: params.id, queue: agentRunQueue, workspaceId: caller.workspaceId }
    // Locks the job, so that decisions about calls of one run follow each other and none meets its cancellation.
    const job = await lockJob(tx, jobKey)
    if (job === null) throw problem('not_found')
    const steps = await listSteps(tx.query, key)
    const { callId } = chooseCall(steps, job.state === 'queued', body.approval_id)
    await writeDecision(tx.query, key, { callId, isApproved, decidedBy: caller.principal.id, reason })
    const isPending = steps.some((step) => step.approval === 'pending' && step.callId !== callId)
    if (!isPending) await resumeJob(tx, jobKey)
    tx.audit({ changes: { call: callId, approved: isApproved } })
  })

/**
 * Asserts that a caller may approve a call: a person who is signed in, or a credential that may write agents. A key or
 * an application with `agents:run` alone could otherwise approve what its own run asks for.
 * @throws Problem `missing_scope`
 */
function requireApprover({ principal, clientId, isDownscoped, scopes }: WorkspaceCaller): void {
  const isPerson = principal.type === 'user' && clientId === undefined && isDownscoped !== true
  if (!isPerson) requireScope({ scopes }, 'agents:write', 'Approving with a credential that is no session of a person')
}

/** Returns the waiting call that is decided. @throws Problem `conflict`, `unknown_reference`, `validation_failed` */
function chooseCall(steps: readonly RunStep[], isWaiting: boolean, callId: string | undefined): RunStep {
  const known = steps.find((step) => step.callId === callId && step.approval !== null)
  if (callId !== undefined && known === undefined)
    throw invalidField('/approval_id', 'is not an approval of this run', 'unknown_reference')
  const pending = steps.filter(({ approval }) => isWaiting && approval === 'pending')
  const [only, ...others] = callId === undefined ? pending : pending.filter((step) => step.callId === callId)
  if (only === undefined)
    throw problem('conflict', {
      detail:
        known === undefined
          ? 'The run does not wait for an approval'
          : `The call ${known.callId} does not wait for a decision`,
    })
  if (others.length > 0) throw invalidField('/approval_id', 'is required: several calls wait for a decision')
  return only
}
