import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startTestFleet, startTestServers, type TestFleet } from '@wp/testkit'
import { type StreamTimes, timeStream } from './ai/read-stream.ts'
import { residentBytes } from './edge/process-usage.ts'
import { type HelperProcess, startHelper } from './harness/helper-process.ts'
import { optionValue } from './harness/options.ts'
import { report } from './harness/report.ts'
import { quantile } from './harness/statistics.ts'

const [tokenCount, tokenIntervalMs] = [50, 20]

/**
 * Measures what the platform adds to a model: time to the first token and in total of a chat through the edge, against
 * calling the model on loopback directly, in turn; and the memory of concurrent streams.
 *
 * Options: `--requests n` of each kind (default 30), `--streams n` at once (default 200).
 */
export async function run(options: string[]): Promise<void> {
  const requests = Number(optionValue(options, '--requests') ?? 30)
  const streams = Number(optionValue(options, '--streams') ?? 200)
  const servers = await startTestServers()
  const model = await startHelper(join(import.meta.dirname, 'ai/model-process.ts'), {})
  const modelUrl = await model.call<string>('start')
  const fleet = await startTestFleet({
    mode: 'processes',
    services: ['auth', 'data', 'ai'],
    env: { ai: { AI_BASE_URL: modelUrl, AI_MODEL: 'test-model', RUN_CONCURRENCY: `${streams + 8}` } },
  })
  try {
    const latencies = await measureLatencies(fleet, model, modelUrl, requests)
    const memory = await measureMemory(fleet, model, streams)
    report('ai', latencies, { requests, tokens: tokenCount, tokenIntervalMs, memory })
  } finally {
    await fleet.stop()
    await model.stop()
    await servers.stop()
  }
}

const messages = [{ role: 'user', content: 'Write some words.' }]

/** Calls the model directly and through the edge in turn, so that both meet the same load of the machine. */
async function measureLatencies(fleet: TestFleet, model: HelperProcess, modelUrl: string, requests: number) {
  await model.call('stream', { count: tokenCount, intervalMs: tokenIntervalMs })
  const [token = ''] = await fleet.tokens(fleet.owner, 1)
  const chat = chatWith(fleet, token)
  const direct = () =>
    timeStream(`${modelUrl}/chat/completions`, {
      body: { model: 'test-model', messages, stream: true },
      marker: 'word0',
    })
  for (let warmUp = 0; warmUp < 5; warmUp += 1) await Promise.all([direct(), chat()])
  const times = { direct: [] as StreamTimes[], edge: [] as StreamTimes[] }
  for (let count = 0; count < requests; count += 1) {
    times.direct.push(await direct())
    times.edge.push(await chat())
  }
  return (['firstToken', 'total'] as const).map((time) => {
    const [alone, through] = [sorted(times.direct, time), sorted(times.edge, time)]
    return {
      'time (ms)': time === 'firstToken' ? 'to first token' : 'total',
      'direct p50': quantile(alone, 0.5),
      'edge p50': quantile(through, 0.5),
      'added p50': quantile(through, 0.5) - quantile(alone, 0.5),
      'direct p95': quantile(alone, 0.95),
      'edge p95': quantile(through, 0.95),
      'added p95': quantile(through, 0.95) - quantile(alone, 0.95),
    }
  })
}

const sorted = (times: readonly StreamTimes[], time: keyof StreamTimes) =>
  times.map((each) => each[time]).sort((a, b) => a - b)

const chatWith = (fleet: TestFleet, token: string) => () =>
  timeStream(`${fleet.baseUrl}/v1/ai/chat`, {
    body: { messages, stream: true },
    headers: { authorization: `Bearer ${token}` },
    marker: 'word0',
  })

/** Opens streams that the model holds, in several workspaces: the quota of queued runs is one of a workspace. */
async function measureMemory(fleet: TestFleet, model: HelperProcess, streams: number) {
  const workspaces = [fleet.owner, fleet.stranger, await fleet.seed('third'), await fleet.seed('fourth')]
  const tokens = (await Promise.all(workspaces.map((workspace) => fleet.tokens(workspace, 1)))).flat()
  const members = ['gateway', 'ai'] as const
  const usage = () => members.map((name) => residentBytes(fleet.member(name).pid))
  const before = usage()
  await model.call('hold')
  const open = Array.from({ length: streams }, (_, index) => chatWith(fleet, tokens[index % tokens.length] ?? '')())
  const ended = Promise.allSettled(open)
  while ((await model.call<number>('requests')) < streams) await pause(50)
  await pause(1_000) // until the first tokens have been sent on
  const during = usage()
  await model.call('release')
  const failures = (await ended).filter(({ status }) => status === 'rejected').length
  const perStream = members.map((name, index) => {
    const bytes = ((during[index] ?? 0) - (before[index] ?? 0)) / streams
    return [name, `${Math.round(bytes / 1024)} KiB a stream`]
  })
  return { streams, failures, ...Object.fromEntries(perStream) }
}
