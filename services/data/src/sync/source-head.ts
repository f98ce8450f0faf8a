import { maxPreviewBytes, type Problem, problem, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import { JobFailure } from '@wp/jobs'
import { requireScope } from '@wp/service'
import type { Context } from '../context.ts'
import type { DocumentHead, SourceReader } from '../providers/source-reader.ts'
import type { Source } from '../store/sources/sources.ts'
import { createRedaction, requestIntegration } from './integration-access.ts'

/** The beginning of the first document at the address of a source. */
export interface SourceHead extends Omit<DocumentHead, 'chunks'> {
  bytes: Uint8Array[]
  /** True if the document goes on after these bytes. */
  isTruncated: boolean
}

const timeoutMs = 30_000

/**
 * Reads the beginning of the first document of a source, with the guards of a sync and within 30 seconds.
 * @throws Problem `missing_scope` if it uses an integration and the caller may not; `validation_failed` if the source
 *   has no document or it cannot be read
 */
export async function readSourceHead(
  { internal, outbound, protocols, readers, startTimer, log, now }: Context,
  caller: RequestCaller<WorkspaceCaller>,
  { provider, config, integrationId }: Source,
): Promise<SourceHead> {
  if (integrationId !== null)
    requireScope(caller, 'integrations:read', 'Reading from a source that uses an integration')
  // A reader gets the config of a source of its provider.
  const reader = provider === 'upload' ? undefined : (readers[provider] as SourceReader<unknown>)
  if (reader?.openHead === undefined) throw unreadable(`is of the provider ${provider}: send the file in the body`)
  const controller = new AbortController()
  const release = startTimer(timeoutMs, () =>
    controller.abort(unreadable(`did not send the beginning of its document within ${timeoutMs / 1_000} s`)),
  )
  let redact = createRedaction(undefined, config)
  try {
    const integration = await requestIntegration(internal, caller, integrationId)
    redact = createRedaction(integration, config)
    const { signal } = controller
    const head = await reader.openHead({ config, integration, outbound, protocols, signal, log, now })
    return { ...head, ...(await readBytes(head.chunks)) }
  } catch (error) {
    throw error instanceof JobFailure ? unreadable(`cannot be read: ${redact(error.message)}`, error) : error
  } finally {
    release()
  }
}

async function readBytes(chunks: AsyncIterable<Uint8Array>): Promise<Pick<SourceHead, 'bytes' | 'isTruncated'>> {
  const bytes: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    bytes.push(chunk.subarray(0, maxPreviewBytes - size))
    size += chunk.length
    if (size > maxPreviewBytes) return { bytes, isTruncated: true }
  }
  return { bytes, isTruncated: false }
}

function unreadable(detail: string, cause?: unknown): Problem {
  return problem('validation_failed', {
    detail: `?data_source_id: ${detail}`,
    errors: [{ pointer: '?data_source_id', detail }],
    cause,
  })
}
