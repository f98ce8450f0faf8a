import { columnMatchKey, type Preview, type WorkspaceCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { prepareRow } from '../ingest/batch.ts'
import { tooManyDifferentRows } from '../ingest/ingest.ts'
import { createRowOrdinals } from '../ingest/row-ordinals.ts'
import type { OpenedTable } from '../intake/open-table.ts'
import { previewTable } from '../intake/preview/preview-table.ts'
import { isSheetColumn } from '../intake/workbook/sheet-tables.ts'
import type { Row } from '../parsers/row.ts'
import { findPeriod } from '../store/records/read-fields.ts'
import { findRecordIds } from '../store/records/record-keys.ts'
import { findUploadSources, type Source } from '../store/sources/sources.ts'
import { correctionWarnings, minRestricted } from './find-overlap.ts'
import { isOfPersons, type NotedPeriod, notePeriod, timeFields } from './period.ts'

/**
 * Previews a table beside the records that are stored: of its source, says which rows would count twice; without one,
 * names those of the same columns, which it may continue.
 */
export async function previewBeside(
  context: Context,
  { workspaceId, scopes }: WorkspaceCaller,
  table: OpenedTable,
  { isTruncated, source }: { isTruncated: boolean; source: Source | undefined },
): Promise<Preview> {
  const period = notePeriod(table.rows(), timeFields(table.format, source?.config.pseudonymize))
  const compared = source?.provider === 'upload' && !source.config.key && source.recordCount > 0 ? source : undefined
  const known = compared && countNewRows(context, workspaceId, compared, period.rows)
  const found = await previewTable({ ...table, rows: () => known?.rows ?? period.rows }, isTruncated)
  const noted = period.noted()
  if (noted === undefined) return found
  if (compared !== undefined && known !== undefined) {
    const key = { workspaceId, dataSourceId: compared.dataSourceId }
    const counts = { ...known.counts, updated: 0, deleted: 0 }
    const warnings = await correctionWarnings(context, key, compared, { counts, switches: 0 }, noted, counts.created)
    return { ...found, warnings: [...found.warnings, ...warnings] }
  }
  if (source !== undefined || isOfPersons(noted.field) || !scopes.includes('data:read')) return found
  const names = found.columns.map(({ name }) => name)
  const continues = await findContinued(context, workspaceId, names, noted)
  return { ...found, suggestions: { ...found.suggestions, continues } }
}

/** Passes on rows without a key, and counts those that are not stored yet. */
function countNewRows(
  { database }: Context,
  workspaceId: string,
  { dataSourceId, config }: Source,
  rows: AsyncGenerator<Row[]>,
) {
  const counts = { seen: 0, failed: 0, created: 0 }
  const key = { workspaceId, dataSourceId }
  const identity = { ordinals: createRowOrdinals(tooManyDifferentRows) }
  async function* counted() {
    for await (const batch of rows) {
      const prepared = batch.map((row) => prepareRow(row, config, identity))
      const keys = prepared.flatMap((one) => ('record' in one ? [one.record.key] : []))
      const stored = await database.read(key, (_db, query) => findRecordIds(query, key, keys))
      counts.seen += batch.length
      counts.failed += batch.length - keys.length
      counts.created += keys.length - stored.length
      yield batch
    }
  }
  return { rows: counted(), counts }
}

const maxContinued = 3
/** The days of more records are not read for a preview, nor for longer than this. */
const maxRecords = 500_000
const maxReadMs = 2_000

/** Returns the sources of uploads with the same columns, and, where they may be told, the last day of their records. */
async function findContinued(
  { database, log }: Context,
  workspaceId: string,
  names: readonly string[],
  { field, first, last }: NotedPeriod,
): Promise<Preview['suggestions']['continues']> {
  const sources = await database.read({ workspaceId }, (db) => findUploadSources(db, workspaceId))
  const scope = { workspaceId, signal: AbortSignal.timeout(maxReadMs) }
  const continued: Preview['suggestions']['continues'] = []
  for (const source of sources.filter((one) => hasColumns(one, names)).slice(0, maxContinued)) {
    const { dataSourceId, name, recordAccess, recordCount, config } = source
    const one = { data_source_id: dataSourceId, name, until: null, overlaps: null }
    const isHidden = config.pseudonymize?.some((hidden) => columnMatchKey(hidden) === columnMatchKey(field))
    const stored =
      isHidden || recordAccess === 'aggregates' || recordCount > maxRecords
        ? null
        : await database.background
            .read(scope, (_db, query) => findPeriod(query, { workspaceId, dataSourceId }, field))
            .catch((err: unknown) => {
              log.warn({ event: 'preview.comparison_failed', err }, 'failed to compare a preview with stored records')
              return null
            })
    const [since, until] = [stored?.first.slice(0, dayLength), stored?.last.slice(0, dayLength)]
    const overlaps = since && until && since <= last.slice(0, dayLength) && until >= first.slice(0, dayLength)
    continued.push(until === undefined ? one : { ...one, until, overlaps: overlaps === true })
  }
  return continued
}
const dayLength = 10

/** Returns true if a source has the columns of a file, but for those that it drops. */
function hasColumns({ fields, config, recordAccess, recordCount }: Source, names: readonly string[]): boolean {
  const dropped = new Set((config.drop ?? []).map(columnMatchKey))
  // A file of one sheet may continue one of which all were read.
  const own = new Set(fields.flatMap(([name]) => (isSheetColumn(name) ? [] : name)))
  const stored = names.filter((name) => !dropped.has(columnMatchKey(name)) && !isSheetColumn(name))
  if (recordAccess === 'aggregates' && recordCount < minRestricted) return false
  return stored.length === own.size && stored.every((name) => own.has(name))
}
