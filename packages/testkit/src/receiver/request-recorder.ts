/** One request a receiver has read to its end. */
export type ReceivedRequest = {
  method: string
  path: string
  /** Names in lower case; a header sent more than once is joined as Node joins it. */
  headers: Record<string, string | string[] | undefined>
  /** Names and values in turn, exactly as they were sent. */
  rawHeaders: string[]
  /** The raw bytes, as signatures are computed over. */
  body: Buffer
  /** Milliseconds since 1970 at which the request line had arrived. */
  at: number
  /** From 1: how often this `x-webhook-request-id` has come, or, where there is none, this path. */
  attempt: number
}

/** The list of what came, which can be waited for. */
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
    for (const look of this.#waiting) look()
    return received
  }

  clear(): void {
    this.all.length = 0
    this.#attempts.clear()
  }

  /** Resolves as soon as `find` finds something; rejects with what did come when the time is up. */
  waitFor<Found>(find: (all: ReceivedRequest[]) => Found | undefined, what: string, timeoutMs: number): Promise<Found> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = find(this.all)
        if (found === undefined) return
        end()
        resolve(found)
      }
      const timer = setTimeout(() => {
        end()
        const came = this.all.map(({ method, path, attempt }) => `${method} ${path} (${attempt})`).join(', ')
        reject(new Error(`the receiver did not get ${what} within ${timeoutMs} ms; it got ${came || 'nothing'}`))
      }, timeoutMs)
      const end = () => {
        clearTimeout(timer)
        this.#waiting.delete(look)
      }
      this.#waiting.add(look)
      look()
    })
  }
}
