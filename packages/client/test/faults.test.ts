import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Client, createClient, fileUpload, type UploadProgress } from '../src/index.ts'
import { type FaultServer, type LoggedRequest, startFaultServer } from './faults/fault-server.ts'
import { type FaultCall, renderTable, type Scenario, scenarios } from './faults/scenarios.ts'

/** Larger than a chunk of a file. */
const fileBytes = 200_000
/** Time limit of scenarios that have none. They run at once, and a busy machine takes long to unpack 80 MiB. */
const generousMs = 300_000

let server: FaultServer
let folder: string
let outcomes: Map<string, Outcome>
beforeAll(async () => {
  server = await startFaultServer()
  folder = await mkdtemp(join(tmpdir(), 'faults-'))
  await writeFile(join(folder, 'rows.csv'), 'x'.repeat(fileBytes))
  // The scenarios wait most of the time.
  outcomes = new Map(
    await Promise.all(scenarios.map(async (scenario) => [scenario.name, await meet(scenario)] as const)),
  )
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

interface Outcome {
  result: unknown
  error: unknown
  requests: LoggedRequest[]
}

const progress: UploadProgress[] = []

/** The events of a run, as their ids. */
async function collectIds(events: AsyncIterable<{ id: string | undefined }>): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of events) ids.push(String(id))
  return ids
}

const calls: Record<FaultCall, (client: Client) => Promise<unknown>> = {
  read: (client) => client.system.getWorkspace(),
  write: (client) => client.system.updateWorkspace({ body: { name: 'One' } }),
  upload: async (client) =>
    client.data.uploadRecords({
      params: { data_source_id: 'src_1' },
      body: await fileUpload(join(folder, 'rows.csv'), { onProgress: (sent) => progress.push(sent) }),
    }),
  follow: (client) => collectIds(client.ai.streamRunEvents({ params: { id: 'run_1' } })),
  start: (client) => collectIds(client.ai.runAgent.stream({ params: { agent_id: 'agt_1' }, body: { input: 'Hi' } })),
}

async function meet({ name, call, timeoutMs }: Scenario): Promise<Outcome> {
  const limits =
    timeoutMs === undefined
      ? { timeoutMs: generousMs }
      : call === 'follow'
        ? { streamIdleTimeoutMs: timeoutMs }
        : { timeoutMs }
  const client = createClient({ baseUrl: `${server.url}/${name}/1`, credential: { apiKey: 'key_test' }, ...limits })
  const [outcome] = await Promise.allSettled([calls[call](client)])
  const log = await fetch(`${server.url}/requests/${name}/1`)
  const requests = (await log.json()) as LoggedRequest[] // the log of the server
  const isResult = outcome.status === 'fulfilled'
  return { result: isResult ? outcome.value : undefined, error: isResult ? undefined : outcome.reason, requests }
}

const outcomeOf = (name: string): Outcome => outcomes.get(name) ?? { result: undefined, error: undefined, requests: [] }

describe.each(scenarios)('$fault', ({ name, call, outcome, attempts }) => {
  it(`ends with ${outcome} after ${attempts} requests`, () => {
    const { error, result, requests } = outcomeOf(name)
    expect(error === undefined ? 'result' : error).toEqual(
      outcome === 'result' ? 'result' : expect.objectContaining({ name: outcome }),
    )
    expect(requests).toHaveLength(attempts)
    if (outcome === 'result' && (call === 'follow' || call === 'start'))
      expect(result).toEqual(['1', '2', '3', '4', '5'])
  })
})

describe('the requests', () => {
  it('of a change have one idempotency key', () => {
    for (const name of ['reset-write', 'in-flight', 'internal-error'])
      expect(new Set(outcomeOf(name).requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
    const [first, second, third] = outcomeOf('start-cut').requests
    expect(first?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/)
    expect(second?.idempotencyKey).toBe(first?.idempotencyKey)
    expect(third).toMatchObject({ method: 'GET', path: '/v1/ai/runs/run_1/events' })
  })

  it('of a resumed stream name the last event', () => {
    const positions = (name: string) => outcomeOf(name).requests.map(({ lastEventId }) => lastEventId)
    expect(positions('stream-cut')).toEqual([undefined, '2', '3'])
    expect(positions('stream-cut-event')).toEqual([undefined, '2'])
    expect(positions('stream-cut-character')).toEqual([undefined, '2'])
    expect(positions('stream-silent')).toEqual([undefined, '2'])
  })

  it('of an upload send the whole file again and report the progress', () => {
    for (const name of ['upload-again', 'upload-reset'])
      expect(outcomeOf(name).requests.map(({ bytes }) => bytes)).toEqual([fileBytes, fileBytes])
    expect(progress.filter(({ sentBytes }) => sentBytes === fileBytes)).toHaveLength(5)
    expect(new Set(progress.map(({ totalBytes }) => totalBytes))).toEqual(new Set([fileBytes]))
  })
})

describe('the errors', () => {
  it('have the request id and say what happened', () => {
    expect(outcomeOf('conflict').error).toMatchObject({ code: 'conflict', requestId: 'req-fault', status: 409 })
    expect(outcomeOf('html-503').error).toMatchObject({ code: 'unknown', status: 503 })
    expect(outcomeOf('redirect').error).toMatchObject({ message: expect.stringContaining('redirects to /elsewhere') })
    expect(outcomeOf('no-response').error).toMatchObject({ message: 'no complete response within 500 ms' })
    expect(outcomeOf('limited-long').error).toMatchObject({ retryAfterSeconds: 3600 })
    expect(outcomeOf('reset-always').error).toMatchObject({ message: expect.stringContaining(server.url) })
  })
})

it('docs/client-faults.md has the table of the scenarios', async () => {
  expect(await readFile(join(import.meta.dirname, '../../../docs/client-faults.md'), 'utf8')).toContain(renderTable())
})
