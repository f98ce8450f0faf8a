import type { Query } from '@wp/database'

/** Pauses all sources of a workspace that is deleted, so that no scheduled sync starts. */
export const pauseSources = (query: Query, workspaceId: string): Promise<unknown> =>
  query(`UPDATE data_sources SET status = 'paused' WHERE workspace_id = $1`, [workspaceId])
