import { z } from 'zod'
import { serviceNames } from '../core/services.ts'
import { id } from '../core/shape/id.ts'
import { timestamp } from '../core/shape/shape.ts'

/** The numbers of deleted rows, by schema and table. Tables without rows of the workspace are left out. */
export const DeletedRows = z.record(z.string(), z.number().int().min(0))

/** A table whose rows of a deleted workspace stay, and until when. */
export const RetainedTable = z
  .object({
    table: z.string().describe('Name of the table with its schema'),
    reason: z.string().describe('Why rows may stay, and until when'),
  })
  .meta({
    id: 'RetainedTable',
    description: 'A table that may keep rows of the workspace, with the reason and the time',
  })
export type RetainedTable = z.infer<typeof RetainedTable>

const ServiceDeletion = z
  .object({
    service: z.enum(serviceNames).describe('The service that deletes its rows'),
    status: z.enum(['pending', 'finished']).describe('`finished` when its rows are deleted'),
    deleted: DeletedRows.describe('Deleted rows by table; empty while the status is `pending`'),
    retained: z.array(RetainedTable).describe('Tables that may keep rows of the workspace'),
    finished_at: timestamp().nullable().describe('When its rows were deleted; null until then'),
  })
  .meta({ id: 'ServiceDeletion' })

/** The states of the deletion of a workspace. */
export const deletionStates = ['scheduled', 'running', 'finished', 'cancelled'] as const

/** The deletion of a workspace, and in the end its receipt. */
export const WorkspaceDeletion = z
  .object({
    id: id('wdel'),
    workspace_id: id('ws'),
    status: z.enum(deletionStates).describe('`scheduled`: in the grace period, in which the deletion can be cancelled'),
    progress: z.number().min(0).max(1).describe('Share of the services that have finished, from 0 to 1'),
    services: z.array(ServiceDeletion).describe('What each service deleted'),
    receipt_hash: z
      .string()
      .nullable()
      .describe(
        'SHA-256 in hexadecimal over the canonical JSON (RFC 8785) of `id`, `workspace_id`, `created_at`, `started_at`, `finished_at` and `services`; null until the deletion has finished',
      ),
    created_at: timestamp(),
    starts_at: timestamp().describe('End of the grace period'),
    started_at: timestamp().nullable().describe('When the deletion began after the grace period; null until then'),
    finished_at: timestamp().nullable().describe('When the last service had finished; null until then'),
  })
  .meta({ id: 'WorkspaceDeletion' })
