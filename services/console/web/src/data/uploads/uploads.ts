import { ApiError } from '@wp/client/browser'
import { notifySessionEnded } from '../../state/session-ended.ts'
import { createStore } from '../../state/store.ts'
import type { BadRow, Sync } from '../shared/queries.ts'
import { fileTypeOf, uploadQuery } from './file-types.ts'
import { ConnectionLost, sendUpload } from './send-upload.ts'

/** `storing`: everything was sent, and the platform has not answered yet. */
export type UploadState = 'waiting' | 'sending' | 'storing' | 'finished' | 'interrupted' | 'failed' | 'cancelled'

/** The result of an upload. */
export interface UploadSummary {
  counts: Sync['counts']
  badRows: readonly BadRow[]
  warnings: readonly string[]
  recordCount?: number
}

/** The upload of one file to one source. */
export interface Upload {
  id: string
  workspaceId: string
  sourceId: string
  file: File
  charset?: string
  mode: 'incremental' | 'full'
  state: UploadState
  sentBytes: number
  error?: unknown
  summary?: UploadSummary
}

/** The uploads of this tab. They go on while the person visits other pages of the console. */
export const uploads = createStore<readonly Upload[]>([])

const controllers = new Map<string, AbortController>()

/** Returns true while an upload has work to do. */
export const isActive = ({ state }: Upload): boolean =>
  state === 'waiting' || state === 'sending' || state === 'storing'

/** Adds files to the uploads. They are sent one after the other. */
export function startUploads(
  target: Pick<Upload, 'workspaceId' | 'sourceId' | 'mode' | 'charset'>,
  files: readonly File[],
): void {
  const added = files.map(
    (file): Upload => ({ ...target, id: crypto.randomUUID(), file, state: 'waiting', sentBytes: 0 }),
  )
  uploads.set([...uploads.get(), ...added])
  void sendNext()
}

/** Stops an upload. What was stored before stays. */
export function cancelUpload(id: string): void {
  const controller = controllers.get(id)
  if (controller) controller.abort(new DOMException('cancelled', 'AbortError'))
  else update(id, { state: 'cancelled' })
}

/** Sends an interrupted or failed upload again, under the same idempotency key. */
export function continueUpload(id: string): void {
  update(id, { state: 'waiting', sentBytes: 0, error: undefined })
  void sendNext()
}

/** Removes an upload from the list. */
export const dismissUpload = (id: string): void => uploads.set(uploads.get().filter((upload) => upload.id !== id))

const update = (id: string, part: Partial<Upload>) =>
  uploads.set(uploads.get().map((upload) => (upload.id === id ? { ...upload, ...part } : upload)))

async function sendNext(): Promise<void> {
  const next = uploads.get().find(({ state }) => state === 'waiting')
  if (next === undefined || controllers.size > 0) return
  const controller = new AbortController()
  controllers.set(next.id, controller)
  window.addEventListener('beforeunload', askToStay)
  try {
    update(next.id, await send(next, controller.signal))
  } finally {
    controllers.delete(next.id)
    window.removeEventListener('beforeunload', askToStay)
  }
  await sendNext()
}

const askToStay = (event: BeforeUnloadEvent) => event.preventDefault()

async function send(upload: Upload, signal: AbortSignal): Promise<Partial<Upload>> {
  const { id, workspaceId, sourceId, file, mode, charset } = upload
  const type = fileTypeOf(file.name)?.contentType ?? 'text/csv'
  update(id, { state: 'sending' })
  try {
    const response = await sendUpload(
      {
        workspaceId,
        sourceId,
        file,
        contentType: charset === undefined ? type : `${type}; charset=${charset}`,
        query: uploadQuery(file.name, mode),
        idempotencyKey: id,
        onProgress: (sentBytes) => update(id, { sentBytes, state: sentBytes >= file.size ? 'storing' : 'sending' }),
      },
      signal,
    )
    return { state: 'finished', sentBytes: file.size, summary: summarize(response) }
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) notifySessionEnded()
    if (signal.aborted) return { state: 'cancelled' }
    return { state: isTemporary(error) ? 'interrupted' : 'failed', error }
  }
}

/**
 * Returns true for what sending the file again overcomes: a lost connection or session, an overloaded platform, and an
 * earlier attempt that the platform has not given up yet.
 */
const isTemporary = (error: unknown): boolean =>
  error instanceof ConnectionLost ||
  (error instanceof ApiError &&
    (error.status === 401 || error.status === 429 || error.status >= 500 || error.code === 'idempotency_in_flight'))

type Response = Awaited<ReturnType<typeof sendUpload>>

function summarize({ data }: Response): UploadSummary {
  const common = { counts: data.counts, badRows: data.bad_rows }
  if (!('record_count' in data)) return { ...common, warnings: [] }
  return { ...common, recordCount: data.record_count, warnings: data.warnings?.map(({ message }) => message) ?? [] }
}
