import { checkConnection } from '../api/connection.ts'

const storageKey = 'console.reloaded-at'
const guardMs = 60_000

let failures = 0
/** The address that a person wants to open while its code is being loaded. */
let wanted: string | undefined

/**
 * Handles a part of the application that cannot be loaded. Without a connection the page stays, and says so. Otherwise
 * a newer build has replaced the part: the page is loaded again, once within a minute, so that a part that is missing
 * for another reason does not reload for ever.
 */
export function handleMissingCode(): void {
  addEventListener('vite:preloadError', () => {
    failures += 1
    void reloadIfReplaced(wanted)
  })
}

async function reloadIfReplaced(address = location.href): Promise<void> {
  if (!(await checkConnection())) return
  const last = Number(sessionStorage.getItem(storageKey) ?? 0)
  if (Date.now() - last < guardMs) return
  sessionStorage.setItem(storageKey, String(Date.now()))
  location.assign(address)
}

/** Loads code that the page at an address needs. @returns false if a part could not be loaded */
export async function loadCode(address: string, load: () => Promise<unknown>): Promise<boolean> {
  const before = failures
  wanted = address
  try {
    await load()
    return failures === before
  } catch {
    return false
  } finally {
    wanted = undefined
  }
}
