import type { HttpConfig, PostgresConfig, S3Config } from '@wp/contracts'
import { httpReader } from './http/http-reader.ts'
import { postgresReader } from './postgres/postgres-reader.ts'
import { s3Reader } from './s3/s3-reader.ts'
import type { SourceReader } from './source-reader.ts'

/** The reader of each provider. Upload sources have none. */
export interface SourceReaders {
  http: SourceReader<HttpConfig>
  postgres: SourceReader<PostgresConfig>
  s3: SourceReader<S3Config>
}

export const sourceReaders: SourceReaders = { http: httpReader, postgres: postgresReader, s3: s3Reader }
