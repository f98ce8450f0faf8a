/** A request that was completely read. */
export type ReceivedRequest = {
  method: string
  path: string
  /** By lower-case name; repeated headers are joined as Node does. */
  headers: Record<string, string | string[] | undefined>
  /** Names and values alternating, as sent. */
  rawHeaders: string[]
  /** The raw bytes, over which signatures are computed. */
  body: Buffer
  /** The time at which the request head had arrived, in milliseconds since 1970. */
  at: number
  /** The number of requests so far with this `x-webhook-request-id`, or with this path if there is none; from 1. */
  attempt: number
}

/** Records requests and lets tests wait for them. */
export class RequestRecorder {
  readonly all: ReceivedRequest[] = []
  #attempts = new Map<string, number>()
  #waiting = new Set<() => void>()

  add(request: Omit<ReceivedRequest, 'attempt'>): ReceivedRequest {
    const identity = `${request.headers['x-webhook-request-id'] ?? request.path}`
    const attempt = (this.#attempts.get(identity) ?? 0) + 1
    this.#attempts.set(identity, attempt)
    const received = { ...request, attempt }
    this.all.push(received)
    for (const check of this.#waiting) check()
    return received
  }

  clear(): void {
    this.all.length = 0
    this.#attempts.clear()
  }

  /** Resolves with the first result of `find`. @throws Error after the time limit, with the requests that arrived */
  waitFor<Found>(
    find: (all: ReceivedRequest[]) => Found | undefined,
    description: string,
    timeoutMs: number,
  ): Promise<Found> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const found = find(this.all)
        if (found === undefined) return
        end()
        resolve(found)
      }
      const timer = setTimeout(() => {
        end()
        const received = this.all.map(({ method, path, attempt }) => `${method} ${path} (${attempt})`).join(', ')
        reject(
          new Error(`the receiver did not get ${description} within ${timeoutMs} ms; it got ${received || 'nothing'}`),
        )
      }, timeoutMs)
      const end = () => {
        clearTimeout(timer)
        this.#waiting.delete(check)
      }
      this.#waiting.add(check)
      check()
    })
  }
}
