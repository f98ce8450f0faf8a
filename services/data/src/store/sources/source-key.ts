/** Identifies a source within its workspace. */
export interface SourceKey {
  workspaceId: string
  dataSourceId: string
}
