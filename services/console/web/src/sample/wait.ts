/** The fields that every job of the platform has. */
interface Job {
  status: string
  error: { message: string } | null
}

const everyMs = 700
const timeoutMs = 300_000

/** Polls until a condition holds. @throws Error after five minutes */
export async function waitFor(isDone: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + timeoutMs; performance.now() < deadline; ) {
    if (await isDone()) return
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  throw new Error('It takes longer than expected. Try again in a while: what is there already is kept.')
}

/** Polls a job until it is finished. @throws Error with its reason if it failed or was cancelled */
export const waitForJob = (read: () => Promise<Job>): Promise<void> =>
  waitFor(async () => {
    const { status, error } = await read()
    if (status === 'failed' || status === 'cancelled') throw new Error(error?.message ?? `The work was ${status}.`)
    return status === 'finished'
  })
