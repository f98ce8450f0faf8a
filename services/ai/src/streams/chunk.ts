import type { UIMessageChunk } from 'ai'

/** A chunk of the UI message stream protocol of the AI SDK. */
export type Chunk = UIMessageChunk

/** Events of a run with consecutive numbers. */
export interface EventBatch {
  /** Number of the first event, from 1. */
  firstSeq: number
  chunks: readonly Chunk[]
}

/** The largest batch of events in bytes, also that of a message to other replicas. */
export const maxBatchBytes = 262_144
