import { text } from 'node:stream/consumers'
import type { Client } from '@wp/client'
import { readServerSentEvents } from '@wp/client/server-sent-events'
import { type Connection, connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { CancelledError } from '../../errors.ts'
import { definedMembers } from '../../flag-types.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import type { ListFlags, OutputFlags } from '../../output/flags.ts'
import { collectPages, printList } from '../../output/print.ts'
import { isJsonRequested, printJson } from '../../output/print-json.ts'
import { retry } from '../../retry.ts'
import { createPrompt } from '../../sign-in/prompt.ts'

/** The connection ended before the run did. */
class StreamInterruptedError extends TypeError {}

export async function listAgents(this: Context, flags: ListFlags): Promise<void> {
  const { client } = await connect(this, flags)
  const agents = await collectPages(flags.limit, (query) => client.agents.listAgents({ query }))
  await printList(this, flags, agents, [
    { title: 'id', value: (agent) => agent.agent_id },
    { title: 'name', value: (agent) => agent.name },
    { title: 'status', value: (agent) => agent.status },
    { title: 'updated', value: (agent) => ({ time: agent.updated_at }) },
    { title: 'description', value: (agent) => agent.description },
  ])
}

interface RunFlags extends OutputFlags {
  conversation: string | undefined
}

export async function runAgent(this: Context, flags: RunFlags, agentId: string, input: string): Promise<void> {
  const connection = await connect(this, flags)
  const { client } = connection
  const question = input === '-' ? await text(this.stdin) : input
  const signal = this.takeInterrupts()
  const started = await client.ai.runAgent({
    params: { agent_id: agentId },
    body: { input: question, background: true, ...definedMembers({ conversation_id: flags.conversation }) },
  })
  const params = { id: started.data.id }
  const isJson = isJsonRequested(flags)
  try {
    await followRun(this, connection, params.id, signal, (chunk) => showChunk(this, client, params.id, chunk, isJson))
  } catch (error) {
    if (error instanceof CancelledError) await cancelRun(this, client, params.id)
    throw error
  }
  const run = await client.ai.getRun({ params })
  if (isJson) await printJson(this, flags, run)
  else this.process.stdout.write('\n')
  if (run.status !== 'finished') throw new Error(`${run.error?.message ?? `the run was ${run.status}`} (${run.id})`)
  if (isJson) return
  for (const { index, title, record_id } of run.citations) report(this, `[${index}] ${title ?? ''} ${record_id}`)
}

async function showChunk(
  context: Context,
  client: Client,
  runId: string,
  chunk: RunChunk,
  isJson: boolean,
): Promise<void> {
  if (chunk.type === 'text-delta' && !isJson)
    context.process.stdout.write((chunk.delta ?? '').split('\n').map(escapeControls).join('\n'))
  if (chunk.type === 'tool-input-available') report(context, `> ${chunk.toolName} ${JSON.stringify(chunk.input)}`)
  if (chunk.type === 'tool-output-error') report(context, `> failed: ${chunk.errorText}`)
  if (chunk.type === 'tool-approval-request') await decide(context, client, runId, chunk.toolCallId ?? '')
}

/** Asks the user whether a call may be made. */
async function decide(context: Context, client: Client, runId: string, callId: string): Promise<void> {
  const prompt = createPrompt(context)
  try {
    const answer = await prompt.ask('Allow this call? [y/N] ')
    const isApproved = /^y(es)?$/i.test(answer)
    await client.ai.approveRun({ params: { id: runId }, body: { approval_id: callId, approved: isApproved } })
  } finally {
    prompt.close()
  }
}

async function cancelRun(context: Context, client: Client, runId: string): Promise<void> {
  await client.ai.cancelRun({ params: { id: runId } })
  report(context, `Cancelled ${runId}.`)
}

/** A chunk of the UI message stream protocol of the AI SDK. Chunks of other types are ignored. */
export interface RunChunk {
  type: string
  delta?: string
  toolCallId?: string
  toolName?: string
  input?: unknown
  errorText?: string
}

/**
 * Passes the chunks of a run to a function, in order and each once, until the run ends. Resumes after a lost
 * connection.
 */
export async function followRun(
  context: Context,
  connection: Connection,
  runId: string,
  signal: AbortSignal,
  onChunk: (chunk: RunChunk) => void | Promise<void>,
): Promise<void> {
  let lastEventId: string | undefined
  const readToEnd = async () => {
    const body = await openStream(connection, runId, lastEventId, signal)
    for await (const { id, data } of readServerSentEvents(body)) {
      if (data === '') continue
      if (data === '[DONE]') return
      lastEventId = id ?? lastEventId
      await onChunk(JSON.parse(data))
    }
    throw new StreamInterruptedError('the stream ended early', { cause: new Error('the connection was closed') })
  }
  await retry(readToEnd, {
    signal,
    onInterrupted: (reason) => report(context, `Lost the connection to the platform (${reason}); trying again.`),
    onResumed: () => undefined,
  })
}

async function openStream(
  { baseUrl, headers }: Connection,
  runId: string,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(`${baseUrl}/v1/ai/runs/${runId}/events`, {
    headers: {
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      ...(await headers()),
    },
    signal,
  })
  if (response.ok && response.body !== null) return response.body
  const { ApiError } = await import('@wp/client/browser')
  throw new ApiError(response, await response.json().catch(() => undefined))
}
