/** Requests that keep an endpoint busy which answers fast. */
const windowSize = 5
/** Mean response time of an endpoint above which more requests than those of the window are needed. */
const slowMs = 10
/** Longest wait for an answer to the requests before. */
const maxWaitMs = 20
/** Weights in the mean: it rises slowly, because stalls of this process lengthen some response times too. */
const [slowerWeight, fasterWeight] = [0.05, 0.5]

/** The requests to an endpoint. */
interface Window {
  unanswered: number
  meanMs: number
  waiting: Set<() => void>
}

/** Runs `send`, at once or after other requests to the same endpoint have been answered. */
type SendInWindow = <T>(webhookId: string, send: () => Promise<T>) => Promise<T>

/**
 * Limits the unanswered requests to endpoints that answer within milliseconds: more would only wait in their sockets,
 * and all that are unanswered when the process is killed are sent again. Deliveries to a slow endpoint start at once.
 * The response times of an endpoint without requests are forgotten.
 */
export function createSendWindows(nowMs = () => performance.now()): SendInWindow {
  const windows = new Map<string, Window>()

  return async (webhookId, send) => {
    const window = windows.get(webhookId) ?? { unanswered: 0, meanMs: 0, waiting: new Set() }
    windows.set(webhookId, window)
    if (window.unanswered >= windowSize && window.meanMs < slowMs) await waitForTurn(window)
    else window.unanswered += 1
    const startedAt = nowMs()
    try {
      return await send()
    } finally {
      window.unanswered -= 1
      const excessMs = nowMs() - startedAt - window.meanMs
      window.meanMs += excessMs * (excessMs > 0 ? slowerWeight : fasterWeight)
      if (window.waiting.size > 0) admit(window)
      if (window.unanswered === 0 && window.waiting.size === 0) windows.delete(webhookId)
    }
  }
}

/** Resolves when the request may start, which is then one of the unanswered ones. */
function waitForTurn(window: Window): Promise<void> {
  return new Promise((resolve) => {
    const start = () => {
      clearTimeout(timer)
      if (!window.waiting.delete(start)) return
      window.unanswered += 1
      resolve()
    }
    // After a stall of the process, answers that have arrived come first.
    const timer = setTimeout(() => setImmediate(start), maxWaitMs)
    window.waiting.add(start)
  })
}

/** Starts the next requests together, so that the event loop handles their responses together. */
function admit({ waiting, unanswered, meanMs }: Window): void {
  if (unanswered > 0 && meanMs < slowMs) return
  const free = meanMs < slowMs ? windowSize : waiting.size
  for (const start of [...waiting].slice(0, free)) start()
}
