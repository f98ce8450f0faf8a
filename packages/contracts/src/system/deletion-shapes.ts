import { z } from 'zod'
import { serviceNames } from '../core/services.ts'
import { DeletedRows, RetainedTable } from '../core/shape/deleted-rows.ts'
import { id } from '../core/shape/id.ts'
import { timestamp } from '../core/shape/shape.ts'

const ServiceDeletion = z
  .object({
    service: z.enum(serviceNames),
    status: z.enum(['pending', 'finished']),
    deleted: DeletedRows.meta({ description: 'Deleted rows by table; empty while the status is `pending`' }),
    retained: z.array(RetainedTable),
    finished_at: timestamp().nullable(),
  })
  .meta({ id: 'ServiceDeletion' })

/** The states of the deletion of a workspace. */
export const deletionStates = ['scheduled', 'running', 'finished', 'cancelled'] as const

/** The deletion of a workspace, and in the end its receipt. */
export const WorkspaceDeletion = z
  .object({
    id: id('wdel'),
    workspace_id: id('ws'),
    status: z.enum(deletionStates).meta({
      description: '`scheduled`: in the grace period, in which the deletion can be cancelled',
    }),
    progress: z.number().min(0).max(1),
    services: z.array(ServiceDeletion),
    receipt_hash: z.string().nullable().meta({
      description:
        'SHA-256 in hexadecimal over the canonical JSON (RFC 8785) of `id`, `workspace_id`, `created_at`, `started_at`, `finished_at` and `services`; null until the deletion has finished',
    }),
    created_at: timestamp(),
    starts_at: timestamp().meta({ description: 'End of the grace period' }),
    started_at: timestamp().nullable(),
    finished_at: timestamp().nullable(),
  })
  .meta({ id: 'WorkspaceDeletion' })
