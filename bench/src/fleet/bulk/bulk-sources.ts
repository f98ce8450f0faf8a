import { newId } from '@wp/database'
import type { TestFleet } from '@wp/testkit'
import type { LoadWorkspace } from '../load/load-workspace.ts'
import { withClient } from './with-client.ts'

const workspacesPerStatement = 500

/**
 * Gives workspaces a copy of a source with its records and its search index, by statements: uploads would take minutes.
 *
 * @param template a workspace with a source whose records are few
 */
export async function copySource(
  fleet: TestFleet,
  template: LoadWorkspace,
  workspaces: readonly LoadWorkspace[],
): Promise<void> {
  await withClient(fleet.databases.get('data')?.adminUrl, async (client) => {
    for (let index = 0; index < workspaces.length; index += workspacesPerStatement) {
      const batch = workspaces.slice(index, index + workspacesPerStatement)
      for (const workspace of batch) workspace.sourceId = newId('src')
      const ids = batch.map(({ workspaceId }) => workspaceId)
      const sources = batch.map(({ sourceId }) => sourceId)
      await client.query(
        `INSERT INTO data_sources
         SELECT (jsonb_populate_record(source, jsonb_build_object('data_source_id', new.source_id,
           'workspace_id', new.workspace_id))).*
         FROM unnest($1::text[], $2::text[]) AS new(source_id, workspace_id), data_sources AS source
         WHERE source.data_source_id = $3`,
        [sources, ids, template.sourceId],
      )
      await client.query(
        `INSERT INTO data_records
         SELECT (jsonb_populate_record(record, jsonb_build_object('record_id', new.record_id,
           'data_source_id', new.source_id, 'workspace_id', new.workspace_id))).*
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS new(source_id, workspace_id, old_id, record_id)
         JOIN data_records AS record ON record.record_id = new.old_id`,
        copiesOf(template, batch),
      )
      await client.query(
        `WITH made AS (
           INSERT INTO search_indexes
           SELECT (jsonb_populate_record(index, jsonb_build_object('data_source_id', new.source_id,
             'workspace_id', new.workspace_id,
             'index_id', nextval(pg_get_serial_sequence('search_indexes', 'index_id'))))).*
           FROM unnest($1::text[], $2::text[]) AS new(source_id, workspace_id), search_indexes AS index
           WHERE index.data_source_id = $3
           RETURNING index_id, workspace_id)
         INSERT INTO search_postings (index_id, lexeme, segment, workspace_id, postings)
         SELECT made.index_id, posting.lexeme, posting.segment, made.workspace_id, posting.postings
         FROM made, search_postings AS posting
         WHERE posting.index_id = (SELECT index_id FROM search_indexes WHERE data_source_id = $3)`,
        [sources, ids, template.sourceId],
      )
    }
    await client.query('ANALYZE')
  })
}

/** Returns a new record id for each record of each copy, as columns. */
function copiesOf(template: LoadWorkspace, batch: readonly LoadWorkspace[]): string[][] {
  const columns: [string[], string[], string[], string[]] = [[], [], [], []]
  for (const workspace of batch) {
    workspace.recordIds = template.recordIds.map(() => newId('rec'))
    for (const [index, recordId] of workspace.recordIds.entries()) {
      columns[0].push(workspace.sourceId)
      columns[1].push(workspace.workspaceId)
      columns[2].push(template.recordIds[index] ?? '')
      columns[3].push(recordId)
    }
  }
  return columns
}
