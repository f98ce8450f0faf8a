import { z } from 'zod'

/** The numbers of deleted rows, by schema and table. Tables without rows of the workspace are left out. */
export const DeletedRows = z.record(z.string(), z.number().int().min(0))

/** A table whose rows of a deleted workspace stay, and until when. */
export const RetainedTable = z.object({ table: z.string(), reason: z.string() }).meta({
  id: 'RetainedTable',
  description: 'A table that may keep rows of the workspace, with the reason and the time',
})
export type RetainedTable = z.infer<typeof RetainedTable>
