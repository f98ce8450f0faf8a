import { ApiError } from '@wp/client/browser'
import { apiPath, consoleHeaders } from '../../api/request-session.ts'
import { createStore, notifySessionEnded } from '../../api/session-state.ts'
import type { BadRow, Sync } from '../shared/queries.ts'
import { type UploadOptions, uploadContentType, uploadQuery } from './file-types.ts'
import type { Preview } from './review/preview/preview-values.ts'
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
export interface Upload extends UploadOptions {
  id: string
  workspaceId: string
  sourceId: string
  /** The source was created for this upload, and is deleted if nothing is stored in it. */
  isNewSource: boolean
  file: File
  suggestions?: Preview['suggestions'] | undefined
  state: UploadState
  sentBytes: number
  error?: unknown
  summary?: UploadSummary
  /** The source was deleted again, or could not be. */
  removal?: 'done' | 'failed'
}

export type UploadTarget = Pick<
  Upload,
  'workspaceId' | 'sourceId' | 'isNewSource' | 'isDocument' | 'mode' | 'suggestions'
>

/** The uploads of this tab. They go on while the person visits other pages of the console. */
export const uploads = createStore<readonly Upload[]>([])

const controllers = new Map<string, AbortController>()

/** Returns true while an upload has work to do. */
export const isActive = ({ state }: Upload): boolean =>
  state === 'waiting' || state === 'sending' || state === 'storing'

/** Adds files to the uploads. They are sent one after the other. */
export function startUploads(target: UploadTarget, files: readonly File[]): void {
  const added = files.map(
    (file): Upload => ({
      ...target,
      id: crypto.randomUUID(),
      file,
      allowsDeletions: false,
      state: 'waiting',
      sentBytes: 0,
    }),
  )
  uploads.set([...uploads.get(), ...added])
  void sendNext()
}

/** Stops an upload, or gives an interrupted one up. What was stored before stays, except in a new source. */
export async function cancelUpload(id: string): Promise<void> {
  const controller = controllers.get(id)
  if (controller) return controller.abort(new DOMException('cancelled', 'AbortError'))
  update(id, { state: 'cancelled' })
  await removeIfUnused(id)
}

/** Sends an interrupted or failed upload again, under the same idempotency key. */
export function continueUpload(id: string): void {
  update(id, { state: 'waiting', sentBytes: 0, error: undefined })
  void sendNext()
}

/** Sends an upload again that was refused because of how many records it would delete. */
export function allowDeletions(id: string): void {
  // A key of its own, because the request is another one.
  update(id, { id: crypto.randomUUID(), allowsDeletions: true, state: 'waiting', sentBytes: 0, error: undefined })
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
  window.addEventListener('pagehide', removeUnfinishedSources)
  try {
    update(next.id, await sendRepeatedly(next, controller.signal))
    await removeIfUnused(next.id)
  } finally {
    controllers.delete(next.id)
    window.removeEventListener('beforeunload', askToStay)
  }
  await sendNext()
}

const askToStay = (event: BeforeUnloadEvent) => event.preventDefault()

/** Deletes a new source when all of its uploads have ended and none has stored anything. */
export async function removeIfUnused(id: string): Promise<void> {
  const upload = uploads.get().find((each) => each.id === id)
  if (upload === undefined || !upload.isNewSource || !isUnused(upload.sourceId)) return
  const { workspaceId, sourceId } = upload
  // Where it fails, the status of the upload offers to delete the source again.
  const removal = await removeSource(workspaceId, sourceId).then(
    () => 'done' as const,
    () => 'failed' as const,
  )
  uploads.set(uploads.get().map((each) => (each.sourceId === sourceId ? { ...each, removal } : each)))
}

const isUnused = (sourceId: string): boolean =>
  uploads.get().every((upload) => upload.sourceId !== sourceId || hasStoredNothing(upload))

/** Returns true for an upload that has ended and stored no row. */
export const hasStoredNothing = ({ state, summary }: Upload): boolean =>
  state === 'failed' || state === 'cancelled' || (state === 'finished' && summary?.counts.created === 0)

/** The tab is closed: new sources with uploads that have not finished would stay without their rows. */
function removeUnfinishedSources(): void {
  const unfinished = uploads.get().filter((upload) => isActive(upload) || upload.state === 'interrupted')
  for (const { workspaceId, sourceId, isNewSource } of unfinished) {
    const isUsed = uploads.get().some((upload) => upload.sourceId === sourceId && upload.state === 'finished')
    if (isNewSource && !isUsed) void removeSource(workspaceId, sourceId).catch(() => undefined) // the page is gone
  }
}

/** Pauses before an upload goes on by itself after an error of the platform that passes, such as a time-out. */
const pausesMs = [2_000, 8_000, 20_000]

async function sendRepeatedly(upload: Upload, signal: AbortSignal): Promise<Partial<Upload>> {
  for (const pauseMs of pausesMs) {
    const result = await send(upload, signal)
    // A lost connection or session is for the person to restore.
    const isOverloaded = result.error instanceof ApiError && result.error.status !== 401
    if (result.state !== 'interrupted' || !isOverloaded) return result
    update(upload.id, { state: 'waiting', sentBytes: 0 })
    await pause(pauseMs, signal)
    if (signal.aborted) return { state: 'cancelled' }
  }
  return send(upload, signal)
}

/** Ends early when the signal aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => resolve(), { once: true })
  setTimeout(resolve, ms)
  await promise
}

async function send(upload: Upload, signal: AbortSignal): Promise<Partial<Upload>> {
  const { id, workspaceId, sourceId, file, isDocument } = upload
  update(id, { state: 'sending' })
  try {
    const response = await sendUpload(
      {
        workspaceId,
        sourceId,
        file,
        contentType: uploadContentType(file.name, isDocument),
        query: uploadQuery(file.name, upload),
        idempotencyKey: id,
        onProgress: (sentBytes) => update(id, { sentBytes, state: sentBytes >= file.size ? 'storing' : 'sending' }),
      },
      signal,
    )
    return { state: 'finished', sentBytes: file.size, summary: summarize(response, upload) }
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

function summarize({ data }: Response, { suggestions }: Upload): UploadSummary {
  const common = { counts: data.counts, badRows: data.bad_rows }
  if (!('record_count' in data)) return { ...common, warnings: [] }
  // The review has asked about values that may stand for no value.
  const warnings = (data.warnings ?? []).filter(({ code }) => code !== 'possible_null' || suggestions === undefined)
  return { ...common, recordCount: data.record_count, warnings: warnings.map(({ message }) => message) }
}

/**
 * Deletes a source. The request outlives the page, so that it is also sent when the tab is closed.
 * @throws ApiError for an error response, unless the source does not exist; TypeError if the connection is lost
 */
export async function removeSource(workspaceId: string, sourceId: string): Promise<void> {
  const response = await fetch(`${apiPath}/v1/data/sources/${encodeURIComponent(sourceId)}`, {
    method: 'DELETE',
    headers: { ...consoleHeaders, 'x-workspace-key': workspaceId },
    keepalive: true,
  })
  if (response.ok || response.status === 404) return
  throw new ApiError(response, await response.json().catch(() => undefined))
}
