import { Agent, request } from 'node:http'

/** What came of the requests of one window. */
export interface RequestCounts {
  sent: number
  admitted: number
  refused: number
  /** Neither. */
  other: number
}

interface LoadOptions {
  baseUrl: string
  path: string
  headers: Record<string, string>
  /** Requests a second. */
  rate: number
  seconds: number
}

const windowMs = 60_000

/** Sends at a fixed rate, whatever the answers do. @returns what came of them, by the end of the window they counted in */
export async function sendAtFixedRate({
  baseUrl,
  path,
  headers,
  rate,
  seconds,
}: LoadOptions): Promise<Map<number, RequestCounts>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const outcomes = new Map<number, RequestCounts>()
  const started = performance.now()
  const total = Math.round(rate * seconds)
  const inFlight: Promise<void>[] = []
  for (let index = 0; index < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * rate))
    for (; index < due; index += 1)
      inFlight.push(sendRequest(`${baseUrl}${path}`, headers, agent).then((answer) => count(outcomes, answer)))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await Promise.all(inFlight)
  agent.destroy()
  return outcomes
}

/** An answer, and when the workspace's window ends of which it speaks, in milliseconds. */
export interface TimedResponse {
  status: number
  endsAt: number
}

export function sendRequest(url: string, headers: Record<string, string>, agent?: Agent): Promise<TimedResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, ...(agent === undefined ? {} : { agent }) }, (response) => {
      response.resume()
      response.once('end', () => {
        const left = /"workspace";r=\d+;t=(\d+)/.exec(String(response.headers.ratelimit))?.[1]
        resolve({ status: response.statusCode ?? 0, endsAt: Date.now() + Number(left) * 1000 })
      })
    })
    sent.once('error', reject)
    sent.end()
  })
}

function count(outcomes: Map<number, RequestCounts>, { status, endsAt }: TimedResponse): void {
  // whole seconds are told, so that the same window seems to end within one of them
  const known = [...outcomes.keys()].find((end) => Math.abs(end - endsAt) < windowMs / 4) ?? endsAt
  const outcome = outcomes.get(known) ?? { sent: 0, admitted: 0, refused: 0, other: 0 }
  outcome.sent += 1
  if (status === 200) outcome.admitted += 1
  else if (status === 429) outcome.refused += 1
  else outcome.other += 1
  outcomes.set(known, outcome)
}

/** Several edges' outcomes as one. */
export function mergeCounts(all: readonly Map<number, RequestCounts>[]): Map<number, RequestCounts> {
  const sums = new Map<number, RequestCounts>()
  for (const outcomes of all)
    for (const [endsAt, outcome] of outcomes) {
      const known = [...sums.keys()].find((end) => Math.abs(end - endsAt) < windowMs / 4) ?? endsAt
      const sum = sums.get(known) ?? { sent: 0, admitted: 0, refused: 0, other: 0 }
      sum.sent += outcome.sent
      sum.admitted += outcome.admitted
      sum.refused += outcome.refused
      sum.other += outcome.other
      sums.set(known, sum)
    }
  return sums
}
