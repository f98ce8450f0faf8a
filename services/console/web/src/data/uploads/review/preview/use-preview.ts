import { useQuery } from '@tanstack/react-query'
import { ApiError, type Client } from '@wp/client/browser'
import type { SourceFormat } from '@wp/contracts'
import { useRef } from 'react'
import { useWorkspace } from '../../../../session/workspace-context.tsx'
import { isWholeOnly, maxPreviewBytes, readBeginning } from '../read-beginning.ts'
import type { ChosenFiles, Preview } from './preview-values.ts'

/** Thrown for a file that is larger than a preview, and that has no beginning which can be read by itself. */
export class TooLargeToPreview extends Error {
  override readonly name = 'TooLargeToPreview'
}

export interface PreviewState {
  /** The last preview, also while a corrected one is loaded and after it failed. */
  preview: Preview | undefined
  error: Error | null
  isLoading: boolean
  retry: () => void
}

/**
 * Reads how the platform will read the first of the chosen files.
 * @param sourceId the source to which the file is to be uploaded, and with whose format it is read
 */
export function usePreview(
  { id, files }: ChosenFiles,
  corrections: SourceFormat,
  sourceId: string | undefined,
): PreviewState {
  const { api, workspaceId } = useWorkspace()
  const last = useRef<Preview>(undefined)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [workspaceId, 'preview', id, sourceId, corrections],
    queryFn: ({ signal }) => requestPreview(api, files[0], { corrections, sourceId, signal }),
    // The file does not change, and reading it again sends it again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  if (data !== undefined) last.current = data
  return { preview: last.current, error, isLoading: isFetching, retry: () => void refetch() }
}

async function requestPreview(
  api: Client,
  file: File,
  { corrections, sourceId, signal }: { corrections: SourceFormat; sourceId: string | undefined; signal: AbortSignal },
): Promise<Preview> {
  const isTruncated = file.size > maxPreviewBytes
  const content = await readBeginning(file)
  if (isTruncated && isWholeOnly(content)) throw new TooLargeToPreview(file.name)
  return api.data.preview(
    {
      query: {
        file_name: file.name.slice(-maxFileNameLength),
        ...(Object.keys(corrections).length > 0 && { format: JSON.stringify(corrections) }),
        ...(isTruncated && { truncated: 'true' }),
        ...(sourceId !== undefined && { data_source_id: sourceId }),
      },
      body: { contentType: 'application/octet-stream', content },
    },
    { signal, maxRetries: 1 },
  )
}

const maxFileNameLength = 500

/** Returns true if the platform refused to decide between several readings of a file. */
export const isAmbiguous = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'ambiguous_format'
