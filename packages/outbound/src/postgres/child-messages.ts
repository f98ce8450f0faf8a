import type { OutboundErrorKind } from '../error.ts'

/** A row whose values are the text PostgreSQL writes for them. */
export type TextRow = (string | null)[]

/** A column of a result. */
export interface PostgresColumn {
  name: string
  /** OID of the type (pg_type.dat). */
  type: number
}

/** Rows that arrived together. */
export interface RowChunk {
  rows: TextRow[]
  /** Indexes of the rows beyond `maxRowCharacters`, whose long values are replaced by null. */
  tooLong: number[]
  /** Total length of the values, before long ones were replaced. */
  characters: number
}

/** Identifies a connection in a cancel request; sent by the server after login. */
export interface BackendKey {
  processID: number
  secretKey: number
}

/** Login data of a server. Kept out of the environment and the arguments of the child process. */
export interface PostgresLogin {
  host: string
  port: number
  database: string
  user: string
  password: string | undefined
  /** Undefined for a connection without TLS. */
  tls: { authorities: readonly string[]; replacesDefaults: boolean } | undefined
}

/** A statement and the limits of its response. */
export interface PostgresStatement {
  text: string
  /** With values, even none, the text can only be a single statement; without, several are accepted. */
  values?: readonly unknown[]
  maxRows: number
  /** Rows of about this length are passed on together. */
  maxChunkCharacters: number
  /** A longer row is marked in `tooLong`. */
  maxRowCharacters: number
  /** Bytes accepted from the server until the next chunk of rows is requested. */
  maxBytes: number
}

export type MessageToChild =
  /** The first message. */
  | { kind: 'login'; login: PostgresLogin }
  | { kind: 'statement'; statement: PostgresStatement }
  /** Requests the next chunk of rows. */
  | { kind: 'next' }
  | { kind: 'end' }

/** An error as it is sent between processes. A `server` error was reported by the server, with its SQLSTATE code. */
export interface ErrorMessage {
  kind: 'server' | Extract<OutboundErrorKind, 'tls' | 'protocol' | 'reset' | 'too_large'>
  message: string
  code?: string | undefined
  /** Position in the text of the statement, from 1. */
  position?: string | undefined
}

export type MessageFromChild =
  | { kind: 'ready'; key: BackendKey | undefined }
  | { kind: 'rows'; chunk: RowChunk }
  | { kind: 'done'; columns: PostgresColumn[] }
  | { kind: 'failed'; error: ErrorMessage }
