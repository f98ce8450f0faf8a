/** Returns the wake queue of the feeds of a workspace. */
export const feedQueue = (workspaceId: string): string => `feed-${workspaceId}`
