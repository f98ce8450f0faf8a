import { z } from 'zod'

/** The numbers of deleted rows, by schema and table. Tables without rows of the workspace are left out. */
export const DeletedRows = z.record(z.string(), z.number().int().min(0))

/** A table whose rows of a deleted workspace stay, and until when. */
export const RetainedTable = z
  .object({
    table: z.string().meta({ description: 'Name of the table with its schema' }),
    reason: z.string().meta({ description: 'Why rows may stay, and until when' }),
  })
  .meta({
    id: 'RetainedTable',
    description: 'A table that may keep rows of the workspace, with the reason and the time',
  })
export type RetainedTable = z.infer<typeof RetainedTable>
