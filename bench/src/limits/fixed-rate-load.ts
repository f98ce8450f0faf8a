import { Agent, request } from 'node:http'

/** The responses to the requests of one window. */
export interface RequestCounts {
  sent: number
  admitted: number
  rejected: number
  /** Neither 200 nor 429. */
  other: number
}

interface LoadOptions {
  baseUrl: string
  path: string
  headers: Record<string, string>
  /** Requests per second. */
  rate: number
  seconds: number
}

const windowMs = 60_000

/**
 * Sends requests at a fixed rate, even if earlier ones have not been answered. @returns counts by the end of the window
 */
export async function sendAtFixedRate(options: LoadOptions): Promise<Map<number, RequestCounts>> {
  const { baseUrl, path, headers, rate, seconds } = options
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const countsByWindow = new Map<number, RequestCounts>()
  const startedAt = performance.now()
  const total = Math.round(rate * seconds)
  const inFlight: Promise<void>[] = []
  for (let index = 0; index < total; ) {
    const dueCount = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * rate))
    for (; index < dueCount; index += 1)
      inFlight.push(
        sendRequest(`${baseUrl}${path}`, headers, agent).then((response) => addResponse(countsByWindow, response)),
      )
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await Promise.all(inFlight)
  agent.destroy()
  return countsByWindow
}

export interface TimedResponse {
  status: number
  /** End of the workspace's current window according to the RateLimit header, in milliseconds since 1970. */
  windowEnd: number
}

export function sendRequest(url: string, headers: Record<string, string>, agent?: Agent): Promise<TimedResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, ...(agent === undefined ? {} : { agent }) }, (response) => {
      response.resume()
      response.once('end', () => {
        const seconds = /"workspace";r=\d+;t=(\d+)/.exec(String(response.headers.ratelimit))?.[1]
        resolve({ status: response.statusCode ?? 0, windowEnd: Date.now() + Number(seconds) * 1000 })
      })
    })
    sent.once('error', reject)
    sent.end()
  })
}

function addResponse(countsByWindow: Map<number, RequestCounts>, { status, windowEnd }: TimedResponse): void {
  const counts = countsOf(countsByWindow, windowEnd)
  counts.sent += 1
  if (status === 200) counts.admitted += 1
  else if (status === 429) counts.rejected += 1
  else counts.other += 1
}

/** Adds up the counts of several gateways. */
export function mergeCounts(all: readonly Map<number, RequestCounts>[]): Map<number, RequestCounts> {
  const sums = new Map<number, RequestCounts>()
  for (const countsByWindow of all)
    for (const [windowEnd, counts] of countsByWindow) {
      const sum = countsOf(sums, windowEnd)
      sum.sent += counts.sent
      sum.admitted += counts.admitted
      sum.rejected += counts.rejected
      sum.other += counts.other
    }
  return sums
}

/** Returns the counts of a window. The header has whole seconds, so the end of a window varies between responses. */
function countsOf(countsByWindow: Map<number, RequestCounts>, windowEnd: number): RequestCounts {
  const known = [...countsByWindow].find(([end]) => Math.abs(end - windowEnd) < windowMs / 4)?.[1]
  if (known !== undefined) return known
  const counts = { sent: 0, admitted: 0, rejected: 0, other: 0 }
  countsByWindow.set(windowEnd, counts)
  return counts
}
