import type { Row } from '@wp/database'
import type { DataSource } from '#db'
/** Identifies a source within its workspace. */
export type SourceKey = Row<DataSource, 'workspaceId' | 'dataSourceId'>
