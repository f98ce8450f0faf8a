import type { AnyRoute, RegisteredRouter } from '@tanstack/react-router'
import { loadCode } from './missing-code.ts'

/**
 * Leaves a page only when the code of the next one is there: what was typed stays if it cannot be loaded.
 */
export function keepPageUntilLoaded(router: RegisteredRouter): void {
  router.history.block({
    enableBeforeUnload: false,
    blockerFn: async ({ nextLocation }) => {
      const matches = router.matchRoutes(router.parseLocation(nextLocation))
      const routes: Record<string, AnyRoute> = router.routesById
      const loads = matches.flatMap(({ routeId }) => routes[routeId]?.options.component?.preload ?? [])
      if (loads.length === 0) return false
      return !(await loadCode(nextLocation.href, () => Promise.all(loads.map((load) => load()))))
    },
  })
}
