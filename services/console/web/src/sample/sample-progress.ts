import { createStore } from '../api/session-state.ts'

/** The progress of loading or removing the sample building. It goes on while other pages are shown. */
interface SampleProgress {
  workspaceId: string
  kind: 'loading' | 'removing'
  /** In words: `Uploading badge events`. */
  step: string
  /** From 0 to 1. */
  share: number
  /** The error with which it stopped. */
  error?: unknown
}

export const sampleProgress = createStore<SampleProgress | undefined>(undefined)

/** Runs work on the sample building of a workspace, and reports its steps. A second one does not start beside it. */
export async function runOnSample(
  workspaceId: string,
  kind: SampleProgress['kind'],
  work: (report: (step: string, share: number) => void) => Promise<void>,
): Promise<boolean> {
  const current = sampleProgress.get()
  if (current !== undefined && current.error === undefined) return false
  const report = (step: string, share: number) => sampleProgress.set({ workspaceId, kind, step, share })
  report('Preparing', 0)
  try {
    await work(report)
    sampleProgress.set(undefined)
    return true
  } catch (error) {
    sampleProgress.set({ ...(sampleProgress.get() ?? { step: '', share: 0 }), workspaceId, kind, error })
    return false
  }
}
