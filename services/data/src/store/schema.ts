import type { SchemaChange } from '@wp/contracts'
import type { Query } from '@wp/database'
import { mergeMisfits, type Seen, type StoredMisfits, schemaChanges } from '../schema/drift.ts'
import { mergeFields } from '../schema/fields.ts'
import type { LockedSource } from './sources.ts'

/**
 * A sync begins: what an earlier one gathered that did not come to its end is forgotten. The source is locked.
 * @param isWhole everything there is will be gone through, so that what is not seen is no longer there
 */
export async function beginSchema(
  query: Query,
  source: LockedSource,
  { isWhole }: { isWhole: boolean },
): Promise<void> {
  const [begun] = await query<Pick<LockedSource, 'fieldsAnew' | 'fieldsBefore' | 'misfits'>>(
    `UPDATE data_sources SET fields_before = fields, misfits = '{}', fields_anew = CASE WHEN $3 THEN '[]'::jsonb END
      WHERE workspace_id = $1 AND data_source_id = $2
     RETURNING fields_before AS "fieldsBefore", misfits, fields_anew AS "fieldsAnew"`,
    [source.workspaceId, source.dataSourceId, isWhole],
  )
  Object.assign(source, begun)
}

/**
 * A sync goes on in another attempt: what was gathered before stays as far as the rows it was gathered from are not read
 * again. The source is locked.
 */
export async function resumeSchema(
  query: Query,
  source: LockedSource,
  { isWhole, misfits }: { isWhole: boolean; misfits: StoredMisfits },
): Promise<void> {
  source.misfits = misfits
  source.fieldsAnew = isWhole ? [] : null
  await query(
    'UPDATE data_sources SET misfits = $3, fields_anew = $4 WHERE workspace_id = $1 AND data_source_id = $2',
    [source.workspaceId, source.dataSourceId, JSON.stringify(misfits), isWhole ? '[]' : null],
  )
}

/** What records that are stored already were seen to hold, for a sync that goes through all of them. */
export async function noteSeen(query: Query, source: LockedSource, seen: Seen): Promise<void> {
  const fieldsAnew = mergeFields(source.fieldsAnew ?? [], seen.fields)
  const misfits = mergeMisfits(source.misfits ?? {}, seen.misfits)
  if (fieldsAnew === source.fieldsAnew && misfits === source.misfits) return
  await query(
    'UPDATE data_sources SET fields_anew = $3, misfits = $4 WHERE workspace_id = $1 AND data_source_id = $2',
    [source.workspaceId, source.dataSourceId, JSON.stringify(fieldsAnew), JSON.stringify(misfits)],
  )
}

/** What the sync that now ends found otherwise, by what was gathered since `beginSchema`. */
export function changesOf(source: LockedSource): SchemaChange[] {
  const { config, fields, fieldsAnew, fieldsBefore, misfits } = source
  return schemaChanges(fieldsBefore ?? fields, fieldsAnew ?? fields, config, misfits ?? {})
}
