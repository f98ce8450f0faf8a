import type { Query } from '@wp/database'
import type { StorageChange } from '../quotas.ts'
import {
  mergeFields,
  mergeTypeMismatches,
  type Observations,
  type StoredFields,
  type StoredTypeMismatches,
} from './observed-fields.ts'
import type { SourceKey } from './sources.ts'

/** The schema observed in the rows of a source. */
export interface ObservedSchema {
  fields: StoredFields
  /** Fields seen by the running sync alone; null if it does not read every row. They replace `fields` at its end. */
  pendingFields: StoredFields | null
  /** `fields` as of the start of the running sync. */
  previousFields: StoredFields | null
  /** Type mismatches read by the running sync. */
  typeMismatches: StoredTypeMismatches | null
}

type ObservedSource = SourceKey & ObservedSchema

/**
 * Starts the observation for a sync of a locked source and discards what an unfinished sync left. Updates `source`.
 * @param isComplete true if the sync reads every row, so that fields it does not see no longer exist
 */
export async function beginObservedSchema(
  query: Query,
  source: ObservedSource,
  { isComplete }: { isComplete: boolean },
): Promise<void> {
  const [begun] = await query<Omit<ObservedSchema, 'fields'>>(
    `UPDATE data_sources SET previous_fields = fields, type_mismatches = '{}', pending_fields = CASE WHEN $3 THEN '[]'::jsonb END
      WHERE workspace_id = $1 AND data_source_id = $2
     RETURNING previous_fields, type_mismatches, pending_fields`,
    [source.workspaceId, source.dataSourceId, isComplete],
  )
  Object.assign(source, begun)
}

/**
 * Restores the observation for another attempt at a sync of a locked source. Updates `source`.
 * @param typeMismatches of rows that are not read again
 */
export async function resumeObservedSchema(
  query: Query,
  source: ObservedSource,
  { isComplete, typeMismatches }: { isComplete: boolean; typeMismatches: StoredTypeMismatches },
): Promise<void> {
  source.typeMismatches = typeMismatches
  source.pendingFields = isComplete ? [] : null
  await query(
    'UPDATE data_sources SET type_mismatches = $3, pending_fields = $4 WHERE workspace_id = $1 AND data_source_id = $2',
    [source.workspaceId, source.dataSourceId, JSON.stringify(typeMismatches), isComplete ? '[]' : null],
  )
}

/** Merges observations of new rows into a locked source, and adds to its record count and stored bytes. */
export async function updateSourceStatistics(
  query: Query,
  source: ObservedSource,
  change: StorageChange,
  observed: Observations = { fields: new Map(), typeMismatches: new Map() },
): Promise<void> {
  const fields = mergeFields(source.fields, observed.fields)
  const pendingFields = source.pendingFields && mergeFields(source.pendingFields, observed.fields)
  const typeMismatches = source.typeMismatches && mergeTypeMismatches(source.typeMismatches, observed.typeMismatches)
  const isSame =
    fields === source.fields && pendingFields === source.pendingFields && typeMismatches === source.typeMismatches
  if (change.records === 0 && change.bytes === 0 && isSame) return
  await query(
    `UPDATE data_sources SET record_count = record_count + $3, stored_bytes = stored_bytes + $7, fields = $4,
            pending_fields = $5, type_mismatches = $6
      WHERE workspace_id = $1 AND data_source_id = $2`,
    [
      source.workspaceId,
      source.dataSourceId,
      change.records,
      JSON.stringify(fields),
      pendingFields === null ? null : JSON.stringify(pendingFields),
      typeMismatches === null ? null : JSON.stringify(typeMismatches),
      change.bytes,
    ],
  )
}

/** Merges observations of stored records into a locked source, for a sync that goes through all of them. */
export async function mergeObservedSchema(query: Query, source: ObservedSource, observed: Observations): Promise<void> {
  const pendingFields = mergeFields(source.pendingFields ?? [], observed.fields)
  const typeMismatches = mergeTypeMismatches(source.typeMismatches ?? {}, observed.typeMismatches)
  if (pendingFields === source.pendingFields && typeMismatches === source.typeMismatches) return
  await query(
    'UPDATE data_sources SET pending_fields = $3, type_mismatches = $4 WHERE workspace_id = $1 AND data_source_id = $2',
    [source.workspaceId, source.dataSourceId, JSON.stringify(pendingFields), JSON.stringify(typeMismatches)],
  )
}
