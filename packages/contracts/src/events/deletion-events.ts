import { z } from 'zod'
import { event } from '../core/event.ts'
import { serviceNames } from '../core/services.ts'
import { id } from '../core/shape/id.ts'
import { DeletedRows, RetainedTable } from '../system/deletion-shapes.ts'

/** A workspace is being deleted: every service deletes the data of the event's workspace. */
export const workspaceDeletionStarted = event({
  kind: 'WORKSPACE_DELETION_STARTED',
  producer: 'auth',
  summary: 'The deletion of a workspace started',
  isSubscribable: false,
  data: z.object({ deletion_id: id('wdel') }),
  example: { deletion_id: 'wdel_01h455vb4pex5vsknk084sn02q' },
})

/** A service has deleted the data of the event's workspace, and reports what it deleted. */
export const workspaceDataDeleted = event({
  kind: 'WORKSPACE_DATA_DELETED',
  producer: 'any',
  summary: 'A service deleted the data of a workspace',
  isSubscribable: false,
  data: z.object({
    deletion_id: id('wdel'),
    service: z.enum(serviceNames),
    deleted: DeletedRows,
    retained: z.array(RetainedTable),
  }),
  example: {
    deletion_id: 'wdel_01h455vb4pex5vsknk084sn02q',
    service: 'system',
    deleted: { 'public.workspace_variables': 3 },
    retained: [{ table: 'platform.outbox', reason: 'events, deleted 8 days after their publication' }],
  },
})
