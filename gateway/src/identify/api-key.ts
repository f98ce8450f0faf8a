/** What an API key says of itself. */
export interface ApiKeySegments {
  shard: string
  location: string
  workspaceId: string
}

const grammar =
  /^key_([a-z0-9]{1,16})\.([A-Z]{2,8})\.(ws_[0-7][0-9a-hjkmnp-tv-z]{25})\.[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Reads `key_<shard>.<LOC>.<WORKSPACE>.<uuid v4>`. @returns undefined when a string is not of that form */
export function parseApiKey(key: string): ApiKeySegments | undefined {
  const [, shard, location, workspaceId] = grammar.exec(key) ?? []
  return shard === undefined || location === undefined || workspaceId === undefined
    ? undefined
    : { shard, location, workspaceId }
}
