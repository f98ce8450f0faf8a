import { useEffect, useRef, useState } from 'react'
import { useWorkspace } from '../../session/workspace-context.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { showError, showUndoable } from '../../ui/message/toast.ts'

export type Decision = 'accepted' | 'dismissed'

/**
 * Decides recommendations. The API has no way back, so a decision is shown at once and sent when its toast closes or
 * the page is left; until then it can be undone. What could not be sent is open again.
 */
export function useDecisions() {
  const { api, refresh } = useWorkspace()
  const [pending, setPending] = useState<ReadonlyMap<string, Decision>>(new Map())
  const commits = useRef(new Set<() => void>())

  useEffect(() => {
    const commitAll = () => {
      for (const commit of commits.current) commit()
    }
    addEventListener('pagehide', commitAll)
    return () => {
      removeEventListener('pagehide', commitAll)
      commitAll()
    }
  }, [])

  const forget = (ids: readonly string[]) =>
    setPending((current) => new Map([...current].filter(([id]) => !ids.includes(id))))

  const send = async (ids: readonly string[], status: Decision) => {
    const results = await Promise.allSettled(
      ids.map((id) => api.solutions.updateRecommendation({ params: { id }, body: { status } })),
    )
    const failure = results.find((result) => result.status === 'rejected')
    if (failure) showError(failure.reason)
    await refresh('recommendations')
    forget(ids)
  }

  return {
    /** Decisions that are shown but not stored yet, by id. */
    pending,
    decide(ids: readonly string[], decision: Decision) {
      setPending((current) => new Map([...current, ...ids.map((id) => [id, decision] as const)]))
      const commit = showUndoable(`${formatCount(ids.length, 'recommendation')} ${decision}`, {
        commit: () => {
          commits.current.delete(commit)
          void send(ids, decision)
        },
        undo: () => {
          commits.current.delete(commit)
          forget(ids)
        },
      })
      commits.current.add(commit)
    },
  }
}
