/** The readable segments of an API key. */
export interface ApiKeySegments {
  shard: string
  location: string
  workspaceId: string
}

const grammar =
  /^key_([a-z0-9]{1,16})\.([A-Z]{2,8})\.(ws_[0-7][0-9a-hjkmnp-tv-z]{25})\.[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Parses `key_<shard>.<LOCATION>.<workspace id>.<UUID v4>`. Returns undefined for any other string. */
export function parseApiKey(key: string): ApiKeySegments | undefined {
  const [, shard, location, workspaceId] = grammar.exec(key) ?? []
  return shard === undefined || location === undefined || workspaceId === undefined
    ? undefined
    : { shard, location, workspaceId }
}
