import type { Query, Row } from '@wp/database'
import type { Settings } from '#db'
import type { Tx } from './client.ts'

/** Stored settings of a recipient. @template Values the shape of the settings */
export interface SettingsRow<Values> extends Row<Settings, 'recipientId' | 'updatedAt'> {
  values: Values
}

/** Returns the settings of these recipients of a workspace, of those who have any. */
export const findSettings = <Values>(
  query: Query,
  workspaceId: string,
  recipientIds: readonly string[],
): Promise<SettingsRow<Values>[]> =>
  query<SettingsRow<Values>>(
    'SELECT recipient_id, values, updated_at FROM settings WHERE workspace_id = $1 AND recipient_id = ANY ($2)',
    [workspaceId, recipientIds],
  )

/** Blocks other changes of the settings of a recipient until the end of the transaction. */
export async function lockSettings({ query, workspaceId }: Tx, recipientId: string): Promise<void> {
  await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`settings ${workspaceId} ${recipientId}`])
}

/** Replaces the settings of a recipient. */
export async function storeSettings({ query, workspaceId }: Tx, recipientId: string, values: unknown): Promise<void> {
  await query(
    `INSERT INTO settings (workspace_id, recipient_id, values) VALUES ($1, $2, $3)
     ON CONFLICT (workspace_id, recipient_id) DO UPDATE SET values = excluded.values, updated_at = clock_timestamp()`,
    [workspaceId, recipientId, JSON.stringify(values)],
  )
}
