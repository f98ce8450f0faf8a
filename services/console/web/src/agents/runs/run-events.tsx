import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { ErrorMessage } from '../../ui/message/message.tsx'
import { Card, Stack } from '../../ui/page/page.tsx'
import { followRun } from '../answer/follow-run.ts'
import type { Chunk } from '../answer/message-stream.ts'
import styles from '../shared/agents.module.css'

/** The events of a run that has ended, as a client receives them. They are read when they are asked for. */
export function RunEvents({ runId, isInProgress }: { runId: string; isInProgress: boolean }) {
  const workspaceId = useWorkspaceId()
  const [isOpen, setOpen] = useState(false)
  const events = useQuery({
    queryKey: [workspaceId, 'agent-runs', runId, 'events'],
    queryFn: ({ signal }) => Array.fromAsync(followRun({ runId }, { workspaceId, signal })),
    enabled: isOpen && !isInProgress,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Card
      title="Events"
      description="The chunks of the stream, in the UI message stream protocol. They are kept for 30 days by default."
    >
      <Stack>
        {isInProgress ? (
          <p className="muted">They can be shown when the run has ended.</p>
        ) : (
          <div>
            <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Hide the events' : 'Show the events'}
            </Button>
          </div>
        )}
        {isOpen && events.error && <ErrorMessage error={events.error} onRetry={() => void events.refetch()} />}
        {isOpen && events.isLoading && <p role="status">Reading the events…</p>}
        {isOpen && events.data && <EventTable events={events.data} />}
      </Stack>
    </Card>
  )
}

const EventTable = ({ events }: { events: readonly Chunk[] }) => (
  <>
    <p className="muted">{formatCount(events.length, 'event')}</p>
    <section className={styles.events} aria-label="Events of the run" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">No.</th>
            <th scope="col">Type</th>
            <th scope="col">Content</th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ type, ...content }, index) => (
            <tr key={`${index + 1}`}>
              <td>{index + 1}</td>
              <td>{type}</td>
              <td>{shorten(JSON.stringify(content))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </>
)

const maxContentLength = 400
const shorten = (text: string): string =>
  text.length > maxContentLength ? `${text.slice(0, maxContentLength)}…` : text
