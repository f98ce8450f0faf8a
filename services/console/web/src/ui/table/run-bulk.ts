/** The result of the same call for several resources. */
export interface BulkResult {
  done: readonly string[]
  failed: readonly string[]
  /** The first error; undefined if all calls succeeded. */
  error?: unknown
}

/** Calls the API for one resource after the other, and goes on after an error. */
export async function runBulk(keys: Iterable<string>, call: (key: string) => Promise<unknown>): Promise<BulkResult> {
  const done: string[] = []
  const failed: string[] = []
  let firstError: unknown
  for (const key of keys) {
    try {
      await call(key)
      done.push(key)
    } catch (error) {
      if (failed.length === 0) firstError = error
      failed.push(key)
    }
  }
  return { done, failed, ...(failed.length > 0 && { error: firstError }) }
}
