import { z } from 'zod'
import { event } from '../core/event.ts'
import { id } from '../core/shape/id.ts'

/** A workspace is being deleted: every service deletes the data of the event's workspace. */
export const workspaceDeletionStarted = event({
  kind: 'WORKSPACE_DELETION_STARTED',
  producer: 'auth',
  summary: 'The deletion of a workspace started',
  isSubscribable: false,
  data: z.object({ deletion_id: id('wdel') }),
  example: { deletion_id: 'wdel_01h455vb4pex5vsknk084sn02q' },
})
