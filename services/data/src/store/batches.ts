import { newId, type Query } from '@wp/database'
import type { Draft } from '../ingest/draft.ts'
import { mergeMisfits, type Seen } from '../schema/drift.ts'
import { mergeFields } from '../schema/fields.ts'
import { openIndex, segmentFrom, wordsOf } from './search-index.ts'
import type { LockedSource } from './sources.ts'

/** What storing drafts did; the rest of them said nothing new. */
export interface Stored {
  created: number
  updated: number
}

/** Stores drafts into a source that is locked, as if they came one after the other: of one key, the last one stays. */
export async function storeDrafts(query: Query, source: LockedSource, drafts: readonly Draft[]): Promise<Stored> {
  const stored = { created: 0, updated: 0 }
  for (const wave of wavesOf(drafts)) {
    const { created, updated } = await upsert(query, source, wave)
    stored.created += created
    stored.updated += updated
  }
  return stored
}

/** Keeps count of a source's records and note of what their fields hold. */
export async function noteStored(
  query: Query,
  source: LockedSource,
  { created }: Pick<Stored, 'created'>,
  seen: Seen,
): Promise<void> {
  const fields = mergeFields(source.fields, seen.fields)
  const fieldsAnew = source.fieldsAnew && mergeFields(source.fieldsAnew, seen.fields)
  const misfits = source.misfits && mergeMisfits(source.misfits, seen.misfits)
  const isSame = fields === source.fields && fieldsAnew === source.fieldsAnew && misfits === source.misfits
  if (created === 0 && isSame) return
  await query(
    `UPDATE data_sources SET record_count = record_count + $3, fields = $4, fields_anew = $5, misfits = $6
      WHERE workspace_id = $1 AND data_source_id = $2`,
    [
      source.workspaceId,
      source.dataSourceId,
      created,
      JSON.stringify(fields),
      fieldsAnew === null ? null : JSON.stringify(fieldsAnew),
      misfits === null ? null : JSON.stringify(misfits),
    ],
  )
}

/** One statement can touch a row once, so the second draft of a key goes into a second wave, and so on. */
function wavesOf(drafts: readonly Draft[]): Draft[][] {
  const waves: Draft[][] = []
  const latest = new Map<string, { wave: number; draft: Draft }>()
  for (const draft of drafts) {
    const earlier = latest.get(draft.key)
    if (earlier?.draft.json === draft.json) continue
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
 * reading all of it is cheap.
 */
const upsertText = `
  WITH given AS (
    SELECT * FROM unnest($3::text[], $4::text[], $5::jsonb[], $6::text[], $7::text[], $8::text[]) WITH ORDINALITY
      AS given (record_id, key, data, title, url, text, place)
  ), worded AS MATERIALIZED (
    SELECT given.*, known.document AS old_document, known.words AS old_words, coalesce(is_same, false) AS is_same,
           CASE WHEN is_same THEN known.words ELSE ${wordsOf('$11', 'given.title', 'given.text')} END AS words
      FROM given LEFT JOIN LATERAL (
        SELECT document, words, (title, text) IS NOT DISTINCT FROM (given.title, given.text) AS is_same
          FROM data_records WHERE data_source_id = $2 AND key = given.key LIMIT 1
      ) AS known ON true
  ), numbered AS MATERIALIZED (
    SELECT *, coalesce(old_document, CASE WHEN words IS NOT NULL THEN $12 - 1 +
             count(words) FILTER (WHERE old_document IS NULL) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING)
           END)::integer AS document
      FROM worded
  ), written AS (
    INSERT INTO data_records AS stored
           (workspace_id, data_source_id, record_id, key, data, title, url, text, document, words)
    SELECT $1, $2, record_id, key, data, title, url, text, document, words FROM numbered
    ON CONFLICT (data_source_id, key) DO UPDATE
      SET data = excluded.data, title = excluded.title, url = excluded.url, text = excluded.text, updated_at = now(),
          document = excluded.document, words = excluded.words
      WHERE (stored.data, stored.title, stored.url, stored.text)
        IS DISTINCT FROM (excluded.data, excluded.title, excluded.url, excluded.text)
    RETURNING record_id, key
  ), changed AS (
    SELECT document, words, old_words, old_document IS NULL AS is_new FROM numbered
     WHERE NOT is_same AND (words IS NOT NULL OR old_words IS NOT NULL)
  ), ${segmentFrom('changed', { indexId: '$9::integer', segment: '$10::integer', workspaceId: '$1' })}
  SELECT count(*) AS written, count(given.record_id) AS created FROM written LEFT JOIN given USING (record_id)`

async function upsert(query: Query, source: LockedSource, drafts: Draft[]): Promise<Stored> {
  const { workspaceId, dataSourceId } = source
  const { indexId, segment, configuration, nextDocument } = await openIndex(query, source)
  const [counts] = await query<{ written: number; created: number }>(upsertText, [
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
  ])
  if (counts === undefined) throw new Error('a count answers one row')
  return { created: counts.created, updated: counts.written - counts.created }
}
