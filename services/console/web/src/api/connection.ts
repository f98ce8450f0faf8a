import { createStore } from './session-state.ts'

/** True while the platform cannot be reached from this browser. */
export const isOffline = createStore(!navigator.onLine)

const checkMs = 5_000
let timer: ReturnType<typeof setTimeout> | undefined

/** Follows the connection of the browser. */
export function watchConnection(): void {
  addEventListener('offline', () => isOffline.set(true))
  addEventListener('online', () => void checkConnection())
}

/**
 * Asks whether the platform can be reached, and asks again until it can: a browser counts as online while its network
 * leads nowhere.
 */
export async function checkConnection(): Promise<boolean> {
  clearTimeout(timer)
  const isReachable = await fetch('/console/favicon.svg', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  )
  isOffline.set(!isReachable)
  if (!isReachable) timer = setTimeout(() => void checkConnection(), checkMs)
  return isReachable
}
