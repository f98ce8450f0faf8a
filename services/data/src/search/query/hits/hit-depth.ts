import type { Warning } from '../../rank/warning.ts'

/** Maximum number of hits that the cursors of one search lead to. */
export const maxDepth = 10_000

export const depthReached: Warning = {
  code: 'depth_reached',
  message: `At most ${maxDepth} hits are listed; narrow the query to see others`,
}
