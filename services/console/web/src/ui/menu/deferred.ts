import { useEffect, useState } from 'react'

/** The modules that have been loaded, which later views use at once. */
const loadedModules = new Map<unknown, unknown>()

/** By then the page can be used; code that is loaded now does not delay it. */
const deferMs = 2_000

/**
 * Loads a module that the first view of a page does without: as soon as it is needed, or a little later than the page,
 * so that it is there when the network is not. Undefined until then. If it cannot be loaded, it is tried again when
 * needed.
 *
 * @param load constant, as it is the identity of the module
 */
export function useDeferred<Module>(load: () => Promise<Module>, isNeeded: boolean): Module | undefined {
  const [module, setModule] = useState(() => loadedModules.get(load) as Module | undefined) // stored below, for this function
  const isLoaded = module !== undefined
  useEffect(() => {
    if (isLoaded) return
    let isCurrent = true
    const start = () =>
      void load().then(
        (loaded) => {
          loadedModules.set(load, loaded)
          if (isCurrent) setModule(loaded)
        },
        () => undefined,
      )
    const timer = isNeeded ? undefined : setTimeout(start, deferMs)
    if (isNeeded) start()
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [load, isNeeded, isLoaded])
  return module
}
