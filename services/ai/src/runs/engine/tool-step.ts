import type { Autonomy, Usage } from '@wp/contracts'
import { JobFailure } from '@wp/jobs'
import { toolResultText } from '../../models/tool-result-text.ts'
import { readAutonomy } from '../../store/runs/budget-use.ts'
import { listSteps, type RunStep, writeStepBegin, writeStepEnd } from '../../store/runs/run-steps.ts'
import { defaultAutonomy, lowestAutonomy, needsApproval } from '../../tools/autonomy.ts'
import { limitOutput } from '../../tools/limit-output.ts'
import { type AgentTool, ToolFailure } from '../../tools/tool.ts'
import { usageView } from '../run-view.ts'
import { isClientTool } from './client-tools.ts'
import { runLimits } from './limits.ts'
import { type RunSession, writeAsAttempt } from './run-session.ts'
import type { RequestedCall } from './run-state.ts'

/**
 * Makes the tool calls of the last step that have no result: those that need no approval, or have one. When all have a
 * result, the results are added to the messages.
 * @returns the calls that wait for an approval
 */
export async function runToolStep(session: RunSession): Promise<RequestedCall[]> {
  const { state, context, caller, run } = session
  const steps = await context.database.read(caller, (_db, query) => listSteps(query, run))
  const level = await readLevel(session)
  const decisions = new Map(steps.map((step) => [step.callId, step]))
  const open = state.calls.filter(({ resultText }) => resultText === undefined)
  const waiting: RequestedCall[] = []
  const due: (() => Promise<void>)[] = []
  for (const call of open) {
    const tool = findTool(session, call)
    const step = decisions.get(call.callId)
    if (step?.approval === 'pending') throw undecidedFailure()
    // A tool of the client has no approval here: where one is needed, its call fails.
    const isAsked =
      tool !== undefined &&
      !isClientTool(session, tool.name) &&
      session.input.isEvaluation !== true &&
      needsApproval(level, tool.effectOf(call.input))
    if (isAsked && step === undefined) waiting.push(call)
    else due.push(() => answerCall(session, call, tool, step))
  }
  await inParallel(due, runLimits.parallelCalls)
  if (waiting.length > 0) return waiting
  state.messages.push({
    role: 'tool',
    content: state.calls.map(({ callId, tool, resultText = '' }) => ({
      type: 'tool-result' as const,
      toolCallId: callId,
      toolName: tool,
      output: { type: 'text' as const, value: resultText },
    })),
  })
  state.calls = []
  return []
}

/**
 * Returns the level of autonomy of a run: the lowest of those that agent and trigger had when it was started and have
 * now, so that lowering one counts at once, and neither raising nor deleting one changes a run in progress.
 */
export const readLevel = async ({ context, caller, run, input }: RunSession): Promise<Autonomy> =>
  lowestAutonomy([
    input.autonomy ?? defaultAutonomy,
    ...(await context.database.read(caller, (_db, query) => readAutonomy(query, run))),
  ])

/** A run that waits is due again when every call is decided, or when it has waited too long. */
const undecidedFailure = () =>
  new JobFailure({
    code: 'run_timeout',
    message: 'A tool call was not approved or denied within 7 days',
    retryable: true,
  })

/** Returns the tool of a call; undefined if the call cannot be made. */
export const findTool = ({ tools }: RunSession, { tool, invalid }: RequestedCall): AgentTool | undefined =>
  invalid === undefined ? tools.find(({ name }) => name === tool) : undefined

/** Returns the position of a call among those of the run. */
const positionOf = ({ state }: RunSession, call: RequestedCall): number =>
  state.step * 1_000 + state.calls.indexOf(call)

const usageOf = ({ lastUsage }: RunSession): Usage | null =>
  lastUsage === undefined ? null : usageView(lastUsage.inputTokens, lastUsage.outputTokens, lastUsage.isEstimated)

interface CallResult {
  status: 'finished' | 'failed' | 'denied'
  output: unknown
  error: string | null
}

async function answerCall(
  session: RunSession,
  call: RequestedCall,
  tool: AgentTool | undefined,
  step: RunStep | undefined,
): Promise<void> {
  const { events } = session
  const { callId } = call
  if (step?.approval === 'denied') {
    call.resultText = toolResultText({ denied: true, reason: step.reason ?? 'A person has denied this call' })
    events.push({ type: 'tool-output-denied', toolCallId: callId })
    return
  }
  const begin = { ...beginOf(session, call, tool), status: 'running' as const }
  await writeAsAttempt(session, (query, run) => writeStepBegin(query, run, begin))
  const startedAt = performance.now()
  // The input of an approved call is the one that was shown, as is the integration: another may have its name by now.
  const shown = step === undefined ? call : { ...call, input: step.input }
  const isOther = step?.integrationId != null && step.integrationId !== tool?.integration?.id
  const result = isOther
    ? await callTool(session, { ...shown, invalid: otherIntegration }, undefined)
    : await callTool(session, shown, tool)
  const durationMs = performance.now() - startedAt
  await writeAsAttempt(session, (query, run) => writeStepEnd(query, run, { callId, durationMs, ...result }))
  call.resultText = toolResultText(result.error === null ? result.output : { error: result.error })
  events.push(
    result.error === null
      ? { type: 'tool-output-available', toolCallId: callId, output: result.output, dynamic: true }
      : { type: 'tool-output-error', toolCallId: callId, errorText: result.error, dynamic: true },
  )
}

const otherIntegration = 'The integration whose tool was to be called no longer offers it'

/** Returns the record of a call that begins or waits, except for its status. */
export const beginOf = (session: RunSession, call: RequestedCall, tool: AgentTool | undefined) => ({
  callId: call.callId,
  tool: call.tool,
  integrationId: tool?.integration?.id ?? null,
  title: tool?.integration?.title ?? null,
  input: call.input,
  usage: usageOf(session),
  position: positionOf(session, call),
})

/** Returns true for a tool that may act, in an evaluation: an evaluation changes nothing and waits for no person. */
const isRefused = ({ input }: RunSession, tool: AgentTool, call: RequestedCall): boolean =>
  input.isEvaluation === true &&
  (!(tool.isReadOnly ?? tool.isRepeatable) || needsApproval('guarded', tool.effectOf(call.input)))

const refusedInEvaluation =
  'This tool is not called in an evaluation, because it may change something. Say what you would have done'

/** Calls a tool with the scopes of the caller. A failure is told to the model; only an interruption is thrown. */
async function callTool(session: RunSession, call: RequestedCall, tool: AgentTool | undefined): Promise<CallResult> {
  const { caller, input, signals, markers, context, job } = session
  const failed = (error: string): CallResult => ({ status: 'failed', output: null, error })
  if (tool === undefined) return failed(call.invalid ?? 'This tool does not exist')
  if (isRefused(session, tool, call)) return { status: 'denied', output: null, error: refusedInEvaluation }
  const missing = tool.requiredScopes.filter((scope) => !caller.scopes.includes(scope))
  if (missing.length > 0) return failed(`The caller of this run does not have the scope ${missing.join(' and ')}`)
  try {
    const { output, records = [] } = await tool.run(call.input, {
      caller,
      dataSourceIds: input.behaviour.dataSourceIds,
      signal: signals.step,
      callId: call.callId,
    })
    markers.add(records)
    return { status: 'finished', output: limitOutput(markers.mark(output), runLimits.callOutputBytes), error: null }
  } catch (error) {
    signals.step.throwIfAborted()
    if (error instanceof ToolFailure) return failed(error.message)
    context.log.error({ event: 'tool.failed', err: error, run: job.id, tool: tool.name }, 'tool failed unexpectedly')
    return failed('The tool failed on our side')
  }
}

/** Runs at most `limit` at a time. @throws the first error, after those in progress have ended */
async function inParallel(work: readonly (() => Promise<void>)[], limit: number): Promise<void> {
  const queue = [...work]
  const errors: unknown[] = []
  const next = async () => {
    for (let task = queue.shift(); task !== undefined && errors.length === 0; task = queue.shift())
      await task().catch((error: unknown) => errors.push(error))
  }
  await Promise.all(Array.from({ length: Math.min(limit, work.length) }, next))
  if (errors.length > 0) throw errors[0]
}
