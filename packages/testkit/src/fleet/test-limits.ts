/** Time limits that a busy machine would exceed for no fault of the service. Tests of a limit set it themselves. */
export const testTimeLimits: Readonly<Record<string, string>> = {
  DATABASE_POOL_WAIT_MS: '60000',
  WORKSPACE_DELETION_GRACE_DAYS: '1',
  WORKSPACE_DELETION_SETTLE_SECONDS: '0',
  EMBEDDING_QUERY_TIMEOUT_MS: '20000',
  SEARCH_TIMEOUT_MS: '60000',
  UPSTREAM_CONNECT_SECONDS: '60',
  UPSTREAM_TIMEOUT_SECONDS: '120',
}

/** All tests of a fleet come from one client network, so its limits apply only where a test sets them. */
export const unlimitedOpenEndpoints: Readonly<Record<string, string>> = {
  OPEN_REQUESTS_PER_MINUTE: '1000000',
  OPEN_FAILURES_PER_MINUTE: '1000000',
  METADATA_REQUESTS_PER_MINUTE: '1000000',
  SITE_REQUESTS_PER_MINUTE: '1000000',
}
