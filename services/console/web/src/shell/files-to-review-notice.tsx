import { useRouterState } from '@tanstack/react-router'
import { createStore, useStore } from '../api/session-state.ts'
import { useWorkspaceId } from '../session/workspace-context.tsx'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { formatCount } from '../ui/format/format.ts'
import { isolate } from '../ui/format/untrusted-text.ts'
import { Callout } from '../ui/message/message.tsx'

interface FileToReview {
  workspaceId: string
  file: File
  /** The source that the file continues, and the offer that was taken. */
  source?: { id: string; mode: 'incremental' | 'period' | 'full' } | undefined
}

/**
 * Files that were chosen with one that has other columns, each reviewed by itself, one after the other; and those that
 * are reviewed on the page of a source.
 */
export const filesToReview = createStore<readonly FileToReview[]>([])

export const filesToReviewIn = (workspaceId: string, list = filesToReview.get()): File[] =>
  list.filter((each) => each.workspaceId === workspaceId && each.source === undefined).map(({ file }) => file)

/**
 * Takes files from those to review, and puts others first. @returns those that are left in the workspace
 * @param source the source on whose page the first of the others is reviewed
 */
export function replaceFilesToReview(
  workspaceId: string,
  files: readonly File[],
  later: readonly File[],
  source?: FileToReview['source'],
): File[] {
  const others = filesToReview.get().filter(({ file }) => !files.includes(file))
  filesToReview.set([
    ...later.map((file, at) => ({ workspaceId, file, source: at === 0 ? source : undefined })),
    ...others,
  ])
  return filesToReviewIn(workspaceId)
}

/** Leads on to the next of several files that were dropped together, from the page that the last one led to. */
export function FilesToReviewNotice() {
  const workspaceId = useWorkspaceId()
  const files = filesToReviewIn(workspaceId, useStore(filesToReview))
  const [next, ...others] = files
  const isAdding = useRouterState({ select: ({ location }) => location.pathname.endsWith('/data/new') })
  if (next === undefined || isAdding) return null
  return (
    <div className="below-4">
      <Callout>
        <div className="row-2">
          <strong>
            {formatCount(others.length + 1, 'file')} to go. Next: {isolate(next.name)}
          </strong>
          <ButtonLink size="small" variant="primary" to="/$workspaceId/data/new">
            Check the next file
          </ButtonLink>
          <Button size="small" onClick={() => replaceFilesToReview(workspaceId, files, [])}>
            Leave {others.length === 0 ? 'it' : 'them'} out
          </Button>
        </div>
      </Callout>
    </div>
  )
}
