import { useQuery } from '@tanstack/react-query'
import { ApiError, type Client } from '@wp/client/browser'
import type { SourceFormat } from '@wp/contracts'
import { useRef } from 'react'
import { useWorkspace } from '../../../../session/workspace-context.tsx'
import { beginningBytes, headerBytes, isWholeOnly, maxPreviewBytes, readBeginning } from '../read-beginning.ts'
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

/** The files that were chosen beside the first one. */
export interface OtherFiles {
  /** Those with its columns, which are uploaded with it. */
  alike: readonly File[]
  /** Those that are reviewed by themselves. */
  different: readonly File[]
}

/** Compares the other chosen files with the first one. @returns `others` once its columns and theirs are known */
export function useOtherFiles(
  { id, files: [first, ...others] }: ChosenFiles,
  preview: Preview | undefined,
  corrections: SourceFormat,
) {
  const { api, workspaceId } = useWorkspace()
  const columns = preview === undefined ? [] : columnNames(preview)
  const { data, error, refetch } = useQuery({
    queryKey: [workspaceId, 'preview', id, 'others', columns, corrections],
    queryFn: async ({ signal }) => {
      const options = { corrections, sourceId: undefined, signal }
      const isAlike = (file: File) =>
        requestPreview(api, file, options, headerBytes).then(
          (other) => isContained(columnNames(other), columns) || isContained(columns, columnNames(other)),
          isNoRefusal,
        )
      const [alike, different]: [File[], File[]] = [[], []]
      for (const file of others) ((await isAlike(file)) ? alike : different).push(file)
      return { alike, different }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    enabled: preview !== undefined && first !== undefined && others.length > 0,
  })
  return { others: others.length === 0 ? noOthers : data, error, retry: () => void refetch() }
}

const noOthers: OtherFiles = { alike: [], different: [] }
const columnNames = ({ columns }: Preview): string[] => columns.map(({ name }) => name)

/** A later file of a source may have its columns in another order, and more or fewer of them. */
const isContained = (some: readonly string[], all: readonly string[]) => some.every((name) => all.includes(name))

/** Returns false for a file that cannot be read in this way: it is asked about when its turn comes. */
function isNoRefusal(error: unknown): false {
  const isRefused = error instanceof ApiError && [400, 413, 415].includes(error.status)
  if (isRefused || error instanceof TooLargeToPreview) return false
  throw error
}

async function requestPreview(
  api: Client,
  file: File,
  { corrections, sourceId, signal }: { corrections: SourceFormat; sourceId: string | undefined; signal: AbortSignal },
  bytes = file.size > maxPreviewBytes ? beginningBytes : maxPreviewBytes,
): Promise<Preview> {
  const beginning = await readBeginning(file, bytes)
  const isWhole = isWholeOnly(beginning)
  if (isWhole && file.size > maxPreviewBytes) throw new TooLargeToPreview(file.name)
  const content = isWhole ? await readBeginning(file, maxPreviewBytes) : beginning
  const isTruncated = content.length < file.size
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
