import { newId, type Query } from '@wp/database'
import type { RecordInput } from '../../ingest/record-input.ts'
import { mergeTypeMismatches, type SchemaObserver } from '../../schema/drift.ts'
import { mergeFields } from '../../schema/observed-fields.ts'
import { openIndex, segmentWriteCtes, tsvectorOf } from '../search/write-index.ts'
import type { LockedSource } from '../sources/sources.ts'

/** What storing drafts did; the rest of them said nothing new. */
export interface UpsertCounts {
  created: number
  updated: number
}

export interface UpsertOptions {
  /** Numbers of the parts that drafts are of. */
  partIds?: ReadonlyMap<string, number>
  /** Finds words anew even where title and text are as they were: how they are found has changed. */
  forceReindex?: boolean
}

/** Stores drafts into a source that is locked, as if they came one after the other: of one key, the last one stays. */
export async function upsertRecords(
  query: Query,
  source: LockedSource,
  drafts: readonly RecordInput[],
  options: UpsertOptions = {},
): Promise<UpsertCounts> {
  const stored = { created: 0, updated: 0 }
  for (const wave of groupIntoWaves(drafts)) {
    const { created, updated } = await upsertWave(query, source, wave, options)
    stored.created += created
    stored.updated += updated
  }
  return stored
}

/** Keeps count of a source's records and note of what their fields hold. */
export async function updateSourceStatistics(
  query: Query,
  source: LockedSource,
  { created, deleted = 0 }: Pick<UpsertCounts, 'created'> & { deleted?: number },
  seen: SchemaObserver,
): Promise<void> {
  const fields = mergeFields(source.fields, seen.fields)
  const fieldsAnew = source.pendingFields && mergeFields(source.pendingFields, seen.fields)
  const misfits = source.typeMismatches && mergeTypeMismatches(source.typeMismatches, seen.typeMismatches)
  const isSame = fields === source.fields && fieldsAnew === source.pendingFields && misfits === source.typeMismatches
  if (created === deleted && isSame) return
  await query(
    `UPDATE data_sources SET record_count = record_count + $3, fields = $4, fields_anew = $5, misfits = $6
      WHERE workspace_id = $1 AND data_source_id = $2`,
    [
      source.workspaceId,
      source.dataSourceId,
      created - deleted,
      JSON.stringify(fields),
      fieldsAnew === null ? null : JSON.stringify(fieldsAnew),
      misfits === null ? null : JSON.stringify(misfits),
    ],
  )
}

/** One statement can touch a row once, so the second draft of a key goes into a second wave, and so on. */
function groupIntoWaves(drafts: readonly RecordInput[]): RecordInput[][] {
  const waves: RecordInput[][] = []
  const latest = new Map<string, { wave: number; draft: RecordInput }>()
  for (const draft of drafts) {
    const earlier = latest.get(draft.key)
    if (earlier?.draft.json === draft.json && earlier.draft.part === draft.part) continue
    const wave = earlier === undefined ? 0 : earlier.wave + 1
    const members = waves[wave] ?? []
    waves[wave] = members
    members.push(draft)
    latest.set(draft.key, { wave, draft })
  }
  return waves
}

/**
 * What is as it was is left alone, so it costs no new row version; words are only found anew where title or text
 * changed. What is known is looked up one by one (LIMIT 1): of a source that has just grown the planner believes that
 * reading all of it is cheap. As the source is locked, it is what will be there when it is written. A record that only
 * comes from another part now is written, but is no change that anybody is told of.
 */
const upsertSql = `
  WITH given AS (
    SELECT * FROM unnest($3::text[], $4::text[], $5::jsonb[], $6::text[], $7::text[], $8::text[], $13::integer[])
      WITH ORDINALITY AS given (record_id, key, data, title, url, text, part_id, place)
  ), worded AS MATERIALIZED (
    SELECT given.*, known.document AS old_document, known.words AS old_words, known.updated_at,
           known.is_same IS NULL AS is_first, coalesce(is_same AND NOT $14::boolean, false) AS is_worded,
           coalesce(is_same AND is_kept, false) AS is_kept, known.part_id IS NOT DISTINCT FROM given.part_id AS is_there,
           CASE WHEN is_same AND NOT $14::boolean THEN known.words
                ELSE ${tsvectorOf('$11', 'given.title', 'given.text')} END AS words
      FROM given LEFT JOIN LATERAL (
        SELECT document, words, part_id, updated_at,
               (title, text) IS NOT DISTINCT FROM (given.title, given.text) AS is_same,
               (url, data) IS NOT DISTINCT FROM (given.url, given.data) AS is_kept
          FROM data_records WHERE data_source_id = $2 AND key = given.key LIMIT 1
      ) AS known ON true
  ), numbered AS MATERIALIZED (
    SELECT *, coalesce(old_document, CASE WHEN words IS NOT NULL THEN $12 - 1 +
             count(words) FILTER (WHERE old_document IS NULL) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING)
           END)::integer AS document
      FROM worded
  ), written AS (
    INSERT INTO data_records AS stored
           (workspace_id, data_source_id, record_id, key, data, title, url, text, part_id, document, words, updated_at)
    SELECT $1, $2, record_id, key, data, title, url, text, part_id, document, words,
           CASE WHEN is_kept THEN updated_at ELSE now() END
      FROM numbered
     WHERE NOT (is_kept AND is_there AND (is_worded OR words IS NOT DISTINCT FROM old_words))
    ON CONFLICT (data_source_id, key) DO UPDATE
      SET data = excluded.data, title = excluded.title, url = excluded.url, text = excluded.text,
          part_id = excluded.part_id, document = excluded.document, words = excluded.words,
          updated_at = excluded.updated_at
  ), changed AS (
    SELECT document, words, old_words, old_document IS NULL AS is_new FROM numbered
     WHERE NOT is_worded AND (words IS NOT NULL OR old_words IS NOT NULL) AND words IS DISTINCT FROM old_words
  ), ${segmentWriteCtes('changed', { indexId: '$9::integer', segment: '$10::integer', workspaceId: '$1' })}
  SELECT count(*) FILTER (WHERE is_first) AS created,
         count(*) FILTER (WHERE NOT is_first AND NOT is_kept) AS updated
    FROM numbered`

async function upsertWave(
  query: Query,
  source: LockedSource,
  drafts: RecordInput[],
  { partIds: parts, forceReindex: reword = false }: UpsertOptions,
): Promise<UpsertCounts> {
  const { workspaceId, dataSourceId } = source
  const { indexId, segment, configuration, nextDocument } = await openIndex(query, source)
  const [counts] = await query<UpsertCounts>(upsertSql, [
    workspaceId,
    dataSourceId,
    drafts.map(() => newId('rec')),
    drafts.map(({ key }) => key),
    drafts.map(({ json }) => json),
    drafts.map(({ title }) => title),
    drafts.map(({ url }) => url),
    drafts.map(({ text }) => text),
    indexId,
    segment,
    configuration,
    nextDocument,
    drafts.map(({ part }) => (part === undefined ? null : parts?.get(part))),
    reword,
  ])
  if (counts === undefined) throw new Error('a count answers one row')
  return counts
}
