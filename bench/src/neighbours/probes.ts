import { setTimeout as pause } from 'node:timers/promises'
import { sharedClockMs } from '../harness/helper-process.ts'
import { startServer } from '../harness/loopback-server.ts'
import { atFixedRate, sendOnSchedule, summarize } from '../harness/open-loop.ts'
import { type Percentiles, percentiles } from '../harness/statistics.ts'
import { send, sendOk, type Workspace } from '../harness/workspace.ts'
import { collectArrivals, type WebhookReceiver } from '../webhooks/receiver.ts'
import type { ProbeName } from './attacks/attack.ts'
import { forecastInput, forecastPath } from './attacks/forecasts.ts'

/** Times in milliseconds; of requests from the time at which they were due. */
export interface Measurement extends Percentiles {
  failures: number
}

export interface ProbeContext {
  quiet: Workspace
  receiver: WebhookReceiver
  seconds: number
}

const requestsPerSecond = 8
/** The time that counts for a job or a delivery that did not come. */
const longestWaitMs = 40_000

/** Actions of the quiet workspace, by name; each returns how long it took. */
export const probes: Readonly<Record<ProbeName, (context: ProbeContext) => Promise<Measurement>>> = {
  requests: ({ quiet, seconds }) => sendRequests(seconds, () => send(quiet, 'GET', '/v1/data/sources')),

  /** Each request has a token that the edge has not seen, so that auth is asked. */
  authentication: ({ quiet, seconds }) =>
    sendRequests(seconds, () => send(quiet, 'GET', '/v1/data/sources', { token: quiet.tokens.pop() ?? '' })),

  async sync({ quiet, seconds }) {
    await using site = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(`{"id":"${Date.now()}"}\n`)
    })
    const body = { name: 'one row', provider: 'http', config: { url: `${site.url}/rows.ndjson`, key: 'id' } }
    const { data_source_id: source } = await sendOk(quiet, 'POST', '/v1/data/sources', { body })
    const start = () => sendOk(quiet, 'POST', `/v1/data/sources/${source}/sync/start`)
    return await measureJobs(quiet, seconds, start, (id) => `/v1/data/syncs/${id}`) // while the site is there
  },

  forecast({ quiet, seconds }) {
    const body = JSON.stringify(forecastInput(1, 400))
    const start = () => sendOk(quiet, 'POST', forecastPath, { body })
    return measureJobs(quiet, seconds, start, (id) => `${forecastPath}/${id}`)
  },

  async delivery({ quiet, receiver, seconds }) {
    const body = { endpoint: receiver.url('/ok'), events: ['API_KEY_CREATED'], secret: 'benchmark-signing-secret' }
    const { webhook_id: id } = await sendOk(quiet, 'POST', '/v1/webhooks/webhooks', { body })
    try {
      return await measureDeliveries({ quiet, receiver, seconds })
    } finally {
      await send(quiet, 'DELETE', `/v1/webhooks/webhooks/${id}`)
    }
  },
}

/** Sends requests at a fixed rate, even if earlier ones have not been answered. */
async function sendRequests(seconds: number, request: () => Promise<{ status: number }>): Promise<Measurement> {
  const send = async () => (await request()).status
  return summarize(await sendOnSchedule(atFixedRate(requestsPerSecond, seconds), { send }), seconds)
}

/** Runs one job after the other. Measures the time from creation to start by the job's own times. */
async function measureJobs(
  quiet: Workspace,
  seconds: number,
  start: () => Promise<{ id: string }>,
  pathOf: (id: string) => string,
): Promise<Measurement> {
  const waits: number[] = []
  let failures = 0
  const endsAt = performance.now() + seconds * 1_000
  while (performance.now() < endsAt) {
    const { id } = await start()
    const job = await readUntilEnd(quiet, pathOf(id))
    if (job.status !== 'finished') failures += 1
    waits.push(job.started_at === null ? longestWaitMs : Date.parse(job.started_at) - Date.parse(job.created_at))
  }
  return { ...percentiles(waits), failures }
}

async function readUntilEnd(quiet: Workspace, path: string) {
  const deadline = performance.now() + longestWaitMs
  for (;;) {
    const job = await sendOk(quiet, 'GET', path)
    if (job.finished_at !== null || performance.now() > deadline) return job
    await pause(100)
  }
}

/** Creates API keys at a fixed rate, whose events are delivered, and measures from the request to the arrival. */
async function measureDeliveries({ quiet, receiver, seconds }: ProbeContext): Promise<Measurement> {
  await receiver.call('takeArrivals')
  const sentAt = new Map<string, number>()
  const token = quiet.tokens[0] ?? ''
  const outcomes = await sendOnSchedule(atFixedRate(4, seconds), {
    async send() {
      const at = sharedClockMs()
      const { key_id: id } = await sendOk(quiet, 'POST', '/v1/auth/api-key', { body: {}, token })
      sentAt.set(id, at)
      return (await send(quiet, 'DELETE', `/v1/auth/api-key/${id}`, { token })).status
    },
  })
  const arrivedAt = await collectArrivals(receiver, [...sentAt.keys()], longestWaitMs)
  const times = [...sentAt].map(([id, at]) => (arrivedAt.get(id) ?? at + longestWaitMs) - at)
  return { ...percentiles(times), failures: summarize(outcomes, seconds).failures + sentAt.size - arrivedAt.size }
}
