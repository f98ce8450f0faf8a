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

/** Compares the other chosen files with the first one; undefined until its columns and theirs are known. */
export function useOtherFiles(
  { id, files: [first, ...others] }: ChosenFiles,
  preview: Preview | undefined,
  corrections: SourceFormat,
): OtherFiles | undefined {
  const { api, workspaceId } = useWorkspace()
  const columns = preview && columnNames(preview)
  const { data } = useQuery({
    queryKey: [workspaceId, 'preview', id, 'others', columns, corrections],
    queryFn: async ({ signal }) => {
      const options = { corrections, sourceId: undefined, signal }
      const isAlike = async (file: File) =>
        columnNames(await requestPreview(api, file, options, headerBytes)) === columns
      const [alike, different]: [File[], File[]] = [[], []]
      // A file that cannot be read in this way is asked about when its turn comes.
      for (const file of others) ((await isAlike(file).catch(() => false)) ? alike : different).push(file)
      return { alike, different }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    enabled: preview !== undefined && first !== undefined && others.length > 0,
  })
  return others.length === 0 ? noOthers : data
}

const noOthers: OtherFiles = { alike: [], different: [] }
const columnNames = ({ columns }: Preview): string => JSON.stringify(columns.map(({ name }) => name))

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
