/** State of a job saved by a checkpoint. Omitted fields stay unchanged. */
export interface Checkpoint {
  progress?: number
  detail?: Record<string, unknown>
  /** False for mere preparation: leases lost before it still count towards the poison-job limit. Default true. */
  isProgress?: boolean
}
