import { z } from 'zod'
import { crawlFailure } from '../crawl-failure.ts'
import type { ResolvedIntegration } from '../source-reader.ts'

const Config = z.object({
  endpoint: z.string().optional(),
  region: z.string().default('us-east-1'),
  bucket: z.string(),
  access_key_id: z.string(),
})

const Secrets = z.object({ secret_access_key: z.string() })

/** Where a bucket is, and who asks. */
export interface S3Settings {
  /** The path names the bucket: stores without a name server of their own know no other way, and Amazon takes it too. */
  bucketUrl: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** What an integration `s3` says. @throws JobFailure `config` */
export function parseS3Settings(connection: ResolvedIntegration | undefined): S3Settings {
  if (connection?.provider !== 's3') throw crawlFailure('config', 'The source names no integration with S3')
  const [config, secrets] = [Config.safeParse(connection.config), Secrets.safeParse(connection.secrets)]
  if (!config.success || !secrets.success)
    throw crawlFailure('config', 'The integration does not say how to connect', config.error ?? secrets.error)
  const { region, bucket, endpoint = `https://s3.${region}.amazonaws.com` } = config.data
  return {
    bucketUrl: `${endpoint.replace(/\/+$/, '')}/${bucket}`,
    bucket,
    region,
    accessKeyId: config.data.access_key_id,
    secretAccessKey: secrets.data.secret_access_key,
  }
}
