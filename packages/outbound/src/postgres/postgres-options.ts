export interface PostgresOptions {
  host: string
  port: number
  database: string
  user: string
  password?: string | undefined
  /** Undefined for a connection without TLS. `ca` (PEM) replaces the trusted authorities. */
  tls?: { ca?: string | undefined } | undefined
  /** Limit for lookup, connection, handshake and login together. */
  connectTimeoutMs: number
  signal?: AbortSignal | undefined
}
