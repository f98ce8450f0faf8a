import type { Random } from '@wp/lab/random'
import { Agent, request } from 'undici'
import { type Arrival, type Outcome, type Status, sendOnSchedule } from '../harness/open-loop.ts'
import type { LoadWorkspace } from './load-fleet.ts'
import type { LoadRequest, Operation } from './mix.ts'

export interface LoadOptions {
  baseUrl: string
  mix: readonly Operation[]
  workspaces: readonly LoadWorkspace[]
  rate: number
  seconds: number
  random: Random
}

export interface LoadResult {
  outcomes: Outcome<Operation>[]
  /** The ids of API keys that were created: the `id` in the payload of their events. */
  createdKeys: string[]
}

const timeoutMs = 10_000
/** The others present the token of a service principal. */
const apiKeyShare = 0.6

/** Sends the mix to workspaces, each as often as the others. */
export async function runLoad({ baseUrl, mix, workspaces, rate, seconds, random }: LoadOptions): Promise<LoadResult> {
  const dispatcher = new Agent({ connections: 512, pipelining: 1 })
  const createdKeys: string[] = []
  const candidatesOf = new Map(
    mix.map((operation) => [operation, workspaces.filter((workspace) => hasRequired(workspace, operation))]),
  )

  async function send(operation: Operation): Promise<Status> {
    const workspace = random.pick(candidatesOf.get(operation) ?? [])
    const planned = operation.request(workspace, random)
    const isToken = operation.credential === 'token' || random.next() >= apiKeyShare
    const headers = {
      ...(isToken ? { authorization: `Bearer ${workspace.token}` } : { 'x-api-key': workspace.apiKey }),
      ...(planned.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...planned.headers,
    }
    const { status, body } = await sendRequest(baseUrl, dispatcher, { ...planned, headers })
    if (typeof status !== 'number') return status
    if (status >= 300) return [status, ...(/"code":"(\w+)"/.exec(body)?.slice(1) ?? [])].join(' ')
    if (operation.name === 'create API key') createdKeys.push(JSON.parse(body).data.key_id)
    return operation.findProblem?.(body) ?? status
  }

  try {
    const schedule = createSchedule({ rate, seconds, mix, random })
    const outcomes = await sendOnSchedule(schedule, { send })
    return { outcomes, createdKeys }
  } finally {
    await dispatcher.destroy()
  }
}

/**
 * Plans a load. The times are those of a Poisson process with `rate × seconds` arrivals, because the clients of many
 * workspaces do not wait for each other; so bursts occur as they do in reality. Operations are drawn by their shares.
 *
 * @returns the arrivals in the order of their times
 */
export function createSchedule<Operation extends { share: number }>({
  rate,
  seconds,
  mix,
  random,
}: Pick<LoadOptions, 'rate' | 'seconds' | 'random'> & { mix: readonly Operation[] }): Arrival<Operation>[] {
  const shares = mix.flatMap((operation) => Array.from({ length: operation.share }, () => operation))
  // The arrivals of a Poisson process whose number is known are independent and uniform.
  const times = Float64Array.from({ length: Math.round(rate * seconds) }, () => random.next() * seconds * 1_000).sort()
  return Array.from(times, (afterMs) => ({ afterMs, operation: random.pick(shares) }))
}

const hasRequired = (workspace: LoadWorkspace, { requires }: Operation): boolean =>
  requires === undefined || workspace[requires] !== undefined

/** Sends a request, which takes 10 seconds at most. Never rejects; the body is empty if there is no response. */
async function sendRequest(
  baseUrl: string,
  dispatcher: Agent,
  { method, path, headers, body }: LoadRequest,
): Promise<{ status: Status; body: string }> {
  try {
    const response = await request(baseUrl + path, {
      dispatcher,
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.statusCode, body: await response.body.text() }
  } catch (error) {
    return { status: reasonOf(error), body: '' }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error'
  if (error.name === 'TimeoutError') return 'timeout'
  return 'code' in error ? String(error.code) : error.name
}
