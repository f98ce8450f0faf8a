import { type Outcome, type Status, sendOnSchedule, systemClock } from './generator.ts'
import { createLoadClient } from './http-client.ts'
import type { LoadWorkspace } from './load-workspace.ts'
import type { Operation } from './mix.ts'
import { pick, type Random } from './random.ts'
import { createSchedule } from './schedule.ts'

/** An event that a request of the load caused. */
export interface CausedEvent {
  /** The id of what it is about: the `id` of the payload. */
  id: string
  workspace: LoadWorkspace
}

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
  events: CausedEvent[]
}

const maxInFlight = 2_000
/** The others present the token of a service principal. */
const apiKeyShare = 0.6

/** Sends the mix to workspaces, each as often as the others. */
export async function runLoad({ baseUrl, mix, workspaces, rate, seconds, random }: LoadOptions): Promise<LoadResult> {
  const client = createLoadClient(baseUrl)
  const events: CausedEvent[] = []
  const candidatesOf = new Map(
    mix.map((operation) => [operation, workspaces.filter((workspace) => hasRequired(workspace, operation))]),
  )

  async function send(operation: Operation): Promise<Status> {
    const workspace = pick(candidatesOf.get(operation) ?? [], random)
    const request = operation.request(workspace, random)
    const isToken = operation.credential === 'token' || random() >= apiKeyShare
    const headers = {
      ...(isToken ? { authorization: `Bearer ${workspace.token}` } : { 'x-api-key': workspace.apiKey }),
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    }
    const { status, body } = await client.send({ ...request, headers })
    if (typeof status !== 'number') return status
    if (status >= 300) return [status, ...(/"code":"(\w+)"/.exec(body)?.slice(1) ?? [])].join(' ')
    if (operation.name === 'create API key') events.push({ id: JSON.parse(body).data.key_id, workspace })
    return operation.findProblem?.(body) ?? status
  }

  try {
    const schedule = createSchedule({ rate, seconds, mix, random })
    const outcomes = await sendOnSchedule(schedule, { send, clock: systemClock, maxInFlight })
    return { outcomes, events }
  } finally {
    await client.close()
  }
}

const hasRequired = (workspace: LoadWorkspace, { requires }: Operation): boolean =>
  requires === undefined || workspace[requires] !== undefined
