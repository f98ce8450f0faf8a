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

/** Address of a bucket and credentials. */
export interface S3Settings {
  /** Path-style address: self-hosted stores often have no DNS name per bucket, and Amazon accepts it too. */
  bucketUrl: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** Reads the settings of an `s3` integration. @throws JobFailure `config` */
export function parseS3Settings(integration: ResolvedIntegration | undefined): S3Settings {
  if (integration?.provider !== 's3') throw crawlFailure('config', 'The source names no integration with S3')
  const [config, secrets] = [Config.safeParse(integration.config), Secrets.safeParse(integration.secrets)]
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
