import type { HttpConfig, PostgresConfig, S3Config } from '@wp/contracts'
import { httpReader } from './http/index.ts'
import { postgresReader } from './postgres/index.ts'
import type { SourceReader } from './provider.ts'
import { s3Reader } from './s3/index.ts'

/** What reads the sources of each provider; nothing is read for those into which records are uploaded. */
export interface Readers {
  http: SourceReader<HttpConfig>
  postgres: SourceReader<PostgresConfig>
  s3: SourceReader<S3Config>
}

export const readers: Readers = { http: httpReader, postgres: postgresReader, s3: s3Reader }
