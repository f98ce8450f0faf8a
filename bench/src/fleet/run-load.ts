import type { Random } from '@wp/lab/random'
import { Agent, request } from 'undici'
import { type Arrival, type Outcome, type Status, sendOnSchedule } from '../harness/open-loop.ts'
import type { LoadWorkspace } from './load-fleet.ts'
import type { Operation } from './mix.ts'

interface LoadOptions {
  baseUrl: string
  mix: readonly Operation[]
  workspaces: readonly LoadWorkspace[]
  rate: number
  seconds: number
  random: Random
}

const timeoutMs = 10_000
/** The others present the token of a service principal. */
const apiKeyShare = 0.6

/**
 * Sends the mix to workspaces, each as often as the others.
 *
 * @returns the outcomes, and the ids of created API keys: the `id` in the payload of their events
 */
export async function runLoad(load: LoadOptions): Promise<{ outcomes: Outcome<Operation>[]; createdKeys: string[] }> {
  const { baseUrl, mix, workspaces, random } = load
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
    const { method, path, body: content = null } = planned
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await request(baseUrl + path, { dispatcher, method, headers, body: content, signal })
    const { statusCode: status } = response
    const body = await response.body.text()
    if (status >= 300) return [status, ...(/"code":"(\w+)"/.exec(body)?.slice(1) ?? [])].join(' ')
    if (operation.name === 'create API key') createdKeys.push(JSON.parse(body).data.key_id)
    return operation.findProblem?.(body) ?? status
  }

  try {
    return { outcomes: await sendOnSchedule(createSchedule(load), { send }), createdKeys }
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
