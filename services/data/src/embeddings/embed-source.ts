import type { Database } from '@wp/database'
import type { Metrics } from '@wp/runtime'
import type { EmbeddingLease } from '../store/embeddings/embedding-leases.ts'
import { resolveDimensions } from '../store/embeddings/embedding-spaces.ts'
import { readPendingBatch } from '../store/embeddings/pending-documents.ts'
import { saveChunks } from '../store/embeddings/save-chunks.ts'
import { readStoredChunks } from '../store/embeddings/stored-chunks.ts'
import { maxTextLength } from './chunks.ts'
import { type EmbedTexts, embedMissing, prepareBatch } from './embed-batch.ts'
import { EmbeddingFailure } from './embedding-failure.ts'
import type { EmbeddingModel } from './embedding-model.ts'
import type { EmbeddingModels } from './embedding-models.ts'
import type { UnsavedVectors } from './unsaved-vectors.ts'

/** Batches of one source before other sources get their turn. */
const batchesPerLease = 8
const requestTimeoutMs = 30_000

interface Dependencies {
  pool: Database['worker']
  models: EmbeddingModels
  metrics: Metrics
  unsaved: UnsavedVectors
}

/**
 * Embeds up to 8 batches of a leased source. Ends early if nothing is pending or the lease is lost.
 * @param signal ends the turn; what was saved remains
 * @param onSaved is called after each saved batch
 */
export async function embedSource(
  { pool, models, metrics, unsaved }: Dependencies,
  lease: EmbeddingLease,
  model: EmbeddingModel,
  signal: AbortSignal,
  onSaved: () => void,
): Promise<void> {
  const owner = `${lease.workspaceId} ${lease.space}`
  const request: EmbedTexts = async (inputs) => {
    const options = { timeoutMs: requestTimeoutMs, signal }
    const vectors = await models.embed(lease.workspaceId, model, inputs, options)
    metrics.count('data_embedded_chunks_total', {}, vectors.length)
    await assertDimensions(pool, lease, vectors[0]?.length ?? 0)
    return vectors
  }
  const embed: EmbedTexts = (inputs) => unsaved.complete(owner, inputs, request)
  let { nextDocument } = lease
  for (let batches = 0; batches < batchesPerLease; batches++) {
    signal.throwIfAborted()
    const pending = await readPendingBatch(pool, { ...lease, nextDocument }, maxTextLength)
    if (pending.records.length === 0 && pending.nextDocument === nextDocument) return
    const prepared = prepareBatch(model, pending)
    const stored = await readStoredChunks(pool, lease, prepared.chunks)
    const chunks = await embedMissing(prepared, stored, model, embed)
    if (!(await saveChunks(pool, lease, prepared.batch, chunks))) return
    unsaved.forget(owner)
    onSaved()
    nextDocument = prepared.batch.nextDocument
  }
}

/** @throws EmbeddingFailure `unusable` if vectors of the space have another size */
async function assertDimensions(pool: Database['worker'], lease: EmbeddingLease, size: number): Promise<void> {
  const expected = await resolveDimensions(pool, lease, size)
  if (expected !== undefined && expected !== size)
    throw new EmbeddingFailure(
      'unusable',
      `The embedding provider returned ${size} dimensions; earlier vectors have ${expected}`,
    )
}
