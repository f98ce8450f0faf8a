const storageKey = 'console.reloaded-at'
const guardMs = 60_000

/**
 * Reloads the page when a part of it cannot be loaded because a newer build has replaced it; once within a minute, so
 * that a part that is missing for another reason does not reload for ever.
 */
export function reloadOnStaleBuild(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(storageKey) ?? 0)
    if (Date.now() - last < guardMs) return
    event.preventDefault()
    sessionStorage.setItem(storageKey, String(Date.now()))
    location.reload()
  })
}
