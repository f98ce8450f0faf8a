import { problem } from '@wp/contracts'
import type { SiteHandler } from '@wp/service'
import type { Context } from './context.ts'

/** Creates the handler of all requests of the console, by path. */
export function createRouter(_context: Context): SiteHandler {
  return () => {
    throw problem('not_found')
  }
}
