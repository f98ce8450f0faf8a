import type { SchemaChange } from '@wp/contracts'
import type { Query } from '@wp/database'
import {
  detectSchemaChanges,
  mergeTypeMismatches,
  type SchemaObserver,
  type StoredTypeMismatches,
} from '../../schema/drift.ts'
import { mergeFields } from '../../schema/observed-fields.ts'
import type { LockedSource } from './sources.ts'

/**
 * A sync begins: what an earlier one gathered that did not come to its end is forgotten. The source is locked.
 * @param isWhole everything there is will be gone through, so that what is not seen is no longer there
 */
export async function beginObservedSchema(
  query: Query,
  source: LockedSource,
  { isWhole }: { isWhole: boolean },
): Promise<void> {
  const [begun] = await query<Pick<LockedSource, 'pendingFields' | 'previousFields' | 'typeMismatches'>>(
    `UPDATE data_sources SET fields_before = fields, misfits = '{}', fields_anew = CASE WHEN $3 THEN '[]'::jsonb END
      WHERE workspace_id = $1 AND data_source_id = $2
     RETURNING fields_before AS "previousFields", misfits AS "typeMismatches", fields_anew AS "pendingFields"`,
    [source.workspaceId, source.dataSourceId, isWhole],
  )
  Object.assign(source, begun)
}

/**
 * A sync goes on in another attempt: what was gathered before stays as far as the rows it was gathered from are not read
 * again. The source is locked.
 */
export async function resumeObservedSchema(
  query: Query,
  source: LockedSource,
  { isWhole, misfits }: { isWhole: boolean; misfits: StoredTypeMismatches },
): Promise<void> {
  source.typeMismatches = misfits
  source.pendingFields = isWhole ? [] : null
  await query(
    'UPDATE data_sources SET misfits = $3, fields_anew = $4 WHERE workspace_id = $1 AND data_source_id = $2',
    [source.workspaceId, source.dataSourceId, JSON.stringify(misfits), isWhole ? '[]' : null],
  )
}

/** What records that are stored already were seen to hold, for a sync that goes through all of them. */
export async function mergeObservedSchema(query: Query, source: LockedSource, seen: SchemaObserver): Promise<void> {
  const fieldsAnew = mergeFields(source.pendingFields ?? [], seen.fields)
  const misfits = mergeTypeMismatches(source.typeMismatches ?? {}, seen.typeMismatches)
  if (fieldsAnew === source.pendingFields && misfits === source.typeMismatches) return
  await query(
    'UPDATE data_sources SET fields_anew = $3, misfits = $4 WHERE workspace_id = $1 AND data_source_id = $2',
    [source.workspaceId, source.dataSourceId, JSON.stringify(fieldsAnew), JSON.stringify(misfits)],
  )
}

/** What the sync that now ends found otherwise, by what was gathered since `beginSchema`. */
export function listSchemaChanges(source: LockedSource): SchemaChange[] {
  const { config, fields, pendingFields: fieldsAnew, previousFields: fieldsBefore, typeMismatches } = source
  return detectSchemaChanges(fieldsBefore ?? fields, fieldsAnew ?? fields, config, typeMismatches ?? {})
}
