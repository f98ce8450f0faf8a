import type { IconName } from '../../ui/button/icon.tsx'

/** Words of the API that addresses of pages contain. They are copies, so that the initial bundle needs no contracts. */
export const sourceProviders = ['upload', 'http', 'postgres', 's3'] as const
export type SourceProvider = (typeof sourceProviders)[number]

export const sourceStates = ['active', 'paused', 'error'] as const
export const syncStates = ['queued', 'running', 'finished', 'failed', 'cancelled'] as const

/** The providers of data sources in words. */
export const providerWords = {
  upload: {
    label: 'Upload',
    description: 'Excel workbooks, CSV, JSON and Parquet files and documents, from this device or by the API.',
    icon: 'upload',
  },
  http: {
    label: 'HTTP',
    description: 'Any address that answers with CSV, JSON or documents, page by page if needed.',
    icon: 'external',
  },
  postgres: {
    label: 'PostgreSQL',
    description: 'The rows of a query, read through an integration.',
    icon: 'data',
  },
  s3: {
    label: 'S3',
    description: 'Objects of a bucket at Amazon S3 or a compatible store, read through an integration.',
    icon: 'download',
  },
} as const satisfies Record<SourceProvider, { label: string; description: string; icon: IconName }>
