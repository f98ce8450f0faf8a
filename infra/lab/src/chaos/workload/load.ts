import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../random.ts'
import type { HistoryWriter } from '../history.ts'
import type { ChaosWorkspace } from './chaos-workspace.ts'
import type { Recorder } from './recorder.ts'
import { type Resource, reportedResource, resources } from './resources.ts'
import { send, sendUntilCertain } from './send.ts'
import { findValues, listValues, readUsage } from './views.ts'

export interface LoadOptions {
  workspaces: readonly ChaosWorkspace[]
  history: HistoryWriter
  recorder: Recorder
  random: Random
  /** The number of creations. */
  operations: number
  /** The time over which they are spread, in milliseconds. */
  durationMs: number
}

/** Creations that are in progress at once in each workspace. The first creates what events report. */
const writersPerWorkspace = 3
const readPauseMs = 250

/** Creates resources in all workspaces, and reads them from the own and the other workspace, until it is stopped. */
export function startLoad({ workspaces, history, recorder, random, operations, durationMs }: LoadOptions) {
  const writers = writersPerWorkspace * workspaces.length
  const pauseMs = durationMs / (operations / writers)
  let remaining = operations
  let serial = 0
  let isStopped = false

  async function create(client: string, workspace: ChaosWorkspace, resource: Resource): Promise<void> {
    serial += 1
    const value = `${workspace.label}-${serial}`
    const { label, receiverUrl } = workspace
    const entry = { client, workspace: label, object: resource.object, operation: 'add', value } as const
    history.record({ ...entry, type: 'invoke' })
    const result = await sendUntilCertain(workspace, resource.path, resource.body(value, receiverUrl), value)
    const { location, status, body } = result.response ?? {}
    if (result.type === 'fail') history.record({ ...entry, type: 'fail', reason: `${status} ${body?.code}` })
    else history.record({ ...entry, type: result.type })
    if (location)
      workspace.locations.push({ object: resource.object, path: new URL(location, workspace.baseUrl).pathname })
  }

  async function write(workspace: ChaosWorkspace, writer: number): Promise<void> {
    const client = `${workspace.label} writer ${writer}`
    await pause(random.between(0, pauseMs))
    while (!isStopped && remaining > 0) {
      remaining -= 1
      const ended = create(client, workspace, writer === 0 ? reportedResource : random.pick(resources))
      await Promise.all([ended, pause(pauseMs)])
    }
  }

  async function read(workspace: ChaosWorkspace): Promise<void> {
    const others = workspaces.filter((one) => one !== workspace)
    while (!isStopped) {
      const resource = random.pick(resources)
      await recorder.readSet(workspace, resource, 'list', () => listValues(workspace, resource))
      await recorder.readTotal(workspace, resource, 'usage', () => readUsage(workspace, resource))
      const foreign = others.flatMap(({ locations }) => locations)
      if (foreign.length > 0) await readForeign(recorder, workspace, random.pick(foreign))
      await pause(readPauseMs)
    }
  }

  const running = Promise.all(
    workspaces.flatMap((workspace) => [
      ...Array.from({ length: writersPerWorkspace }, (_, writer) => write(workspace, writer)),
      read(workspace),
    ]),
  )
  return {
    /** Lets the operations in progress end. */
    async stop() {
      isStopped = true
      await running
    },
  }
}

async function readForeign(
  recorder: Recorder,
  workspace: ChaosWorkspace,
  { object, path }: ChaosWorkspace['locations'][number],
): Promise<void> {
  await recorder.readForeign(workspace, object, async () => {
    const response = await send(workspace, 'GET', path)
    return response && findValues(JSON.stringify(response.body))
  })
}
