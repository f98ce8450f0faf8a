/** Location of a workspace: a shard (cell) and the region it runs in. */
export interface Placement {
  shard: string
  location: string
}

/** A workspace and its placement. */
export interface WorkspacePlacement extends Placement {
  workspaceId: string
}
