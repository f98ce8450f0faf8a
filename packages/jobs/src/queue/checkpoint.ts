/** What a checkpoint says of its job. */
export interface Checkpoint {
  progress?: number
  detail?: Record<string, unknown>
  /** False: this only made ready, and leases lost before it still count. Default true. */
  isProgress?: boolean
}
