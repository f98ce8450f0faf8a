/** Limits of a run, so that no model can occupy a worker or fill the database. */
export const runLimits = {
  /** Characters of text that a model may write in a run. */
  outputLength: 200_000,
  /** Tool calls of one step; the model is told that further ones were not made. */
  callsPerStep: 16,
  /** Tool calls that are made at the same time. */
  parallelCalls: 4,
  /** Bytes of the input of a tool call. */
  callInputBytes: 32_768,
  /** Bytes of the output of a tool call. */
  callOutputBytes: 65_536,
  /** Time for which a run waits for an approval. */
  approvalMs: 7 * 86_400_000,
} as const
