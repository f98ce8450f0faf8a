interface WaitingCall<Item> {
  item: Item
  resolve(): void
  reject(error: unknown): void
}

/**
 * Returns a function that processes items: those that are passed while others are processed are processed together
 * afterwards. Each call ends as the work on its items does.
 *
 * @param maxItems maximum number of items of one call of `process`
 */
export function combineCalls<Item>(
  process: (items: readonly Item[]) => Promise<unknown>,
  maxItems: number,
): (item: Item) => Promise<void> {
  let waiting: WaitingCall<Item>[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    // Items of the same event-loop turn are processed together.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const calls = waiting.slice(0, maxItems)
      waiting = waiting.slice(maxItems)
      try {
        await process(calls.map(({ item }) => item))
        for (const { resolve } of calls) resolve()
      } catch (error) {
        for (const { reject } of calls) reject(error)
      }
    }
    isRunning = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isRunning) void run()
    })
}
